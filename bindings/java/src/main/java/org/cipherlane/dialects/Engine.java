package org.cipherlane.dialects;

import org.cipherlane.CipherlaneProvider;

/** The native half of dialects. */
final class Engine {
    static {
        // Has the library loaded, or throws why there is none.
        CipherlaneProvider.level();
    }

    private Engine() {}

    static native byte[] listing();

    static native void unknown(byte[] dialect) throws DialectException;

    static native long prepare(byte[] dialect, byte[] key, int keyForm, byte[] mode, byte[] iv,
            int ivForm, byte[] hash, byte[] aad, byte[] coding) throws DialectException;

    static native byte[] facts(long handle);

    /** A new array; null for the engine's NULL. */
    static native byte[] one(long handle, boolean decrypts, byte[] value, int offset, int count)
            throws DialectException;

    /** Ends and states of the results take the places of those given. */
    static native byte[] many(long handle, boolean decrypts, byte[] bytes, int[] ends,
            byte[] states) throws DialectException;

    static native void close(long handle);

    static native void free(long handle);
}
