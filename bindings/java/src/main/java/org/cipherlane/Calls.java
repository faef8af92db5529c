package org.cipherlane;

import java.security.GeneralSecurityException;

/**
 * The calls on arrays, through JNI. From Java 22 on a class of the same name takes this one's
 * place, which calls without JNI (the folder {@code java22}).
 */
final class Calls {
    private Calls() {}

    /** A whole message; the caller has checked all ranges. */
    static int aead(long handle, boolean open, byte[] nonce, byte[] aad, int aadLength, int tag,
            byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset,
            int outputRoom) throws GeneralSecurityException {
        return Native.aeadMessage(handle, open, nonce, nonce.length, aad, aadLength, tag, input,
                inputOffset, inputLength, output, outputOffset, outputRoom);
    }

    static int cipher(long handle, byte[] input, int inputOffset, int inputLength,
            byte[] output, int outputOffset, int outputRoom) throws GeneralSecurityException {
        return Native.cipherUpdate(handle, input, inputOffset, inputLength, output, outputOffset,
                outputRoom);
    }

    static void mac(long handle, byte[] data, int offset, int count)
            throws GeneralSecurityException {
        Native.macUpdate(handle, data, offset, count);
    }

    /** How calls are made. */
    static String way() {
        return "JNI";
    }
}
