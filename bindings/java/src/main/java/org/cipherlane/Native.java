package org.cipherlane;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.ProviderException;
import java.util.function.LongConsumer;
import org.cipherlane.internal.Reach;

/** The native half: its methods, and how it is found. */
final class Native {
    /** Names the native library's file, instead of the one that is packed here. */
    static final String LIBRARY = "org.cipherlane.library";

    /** Why the library is not there; null where it is. */
    private static final String TROUBLE = load();

    private Native() {}

    /**
     * Why there is no native library for this platform; null where there is one. A provider says
     * so and offers nothing, so that the JCA goes on to the others.
     */
    static String trouble() {
        return TROUBLE;
    }

    /** Has the library loaded, or throws why it is not there. */
    static void need() {
        if (TROUBLE != null) {
            throw new ProviderException(TROUBLE);
        }
    }

    /** An object on the other side, freed when its owner can't be reached any more. */
    static long own(Object owner, long handle, LongConsumer free) {
        Reach.whenGone(owner, () -> free.accept(handle));
        return handle;
    }

    static byte[] name(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String load() {
        String named = System.getProperty(LIBRARY);
        if (named == null) {
            return Platform.first(Platform.folders(), Native::packed);
        }
        try {
            System.load(Paths.get(named).toAbsolutePath().toString());
            return null;
        } catch (UnsatisfiedLinkError | SecurityException error) {
            return "the native library " + named + " can't be loaded: " + error.getMessage();
        }
    }

    /** Loads the library that is packed here in a platform's folder; returns why not. */
    private static String packed(String platform) {
        try {
            return unpack(platform);
        } catch (UnsatisfiedLinkError | IOException | SecurityException error) {
            return "the native library for " + platform + " can't be loaded: "
                    + error.getMessage();
        }
    }

    private static String unpack(String platform) throws IOException {
        String file = System.mapLibraryName("cipherlane_java");
        String resource = "/org/cipherlane/native/" + platform + "/" + file;
        try (InputStream library = Native.class.getResourceAsStream(resource)) {
            if (library == null) {
                return "this jar has no native library for " + platform
                        + ": build it there, or name one with -D" + LIBRARY + "=FILE";
            }
            // A folder of our own, which nobody else can write to.
            Path folder = Files.createTempDirectory("cipherlane-");
            Path copy = folder.resolve(file);
            try {
                Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
                System.load(copy.toString());
            } finally {
                // Where the system keeps loaded files this is left to its end.
                if (!copy.toFile().delete()) {
                    copy.toFile().deleteOnExit();
                }
                if (!folder.toFile().delete()) {
                    folder.toFile().deleteOnExit();
                }
            }
        }
        return null;
    }

    static native byte[] listing();

    static native byte[] level();

    /**
     * An object in the place of an old one, if there is one (0: none) and no other thread uses
     * it: its handle, or a new one. What fails leaves the old one as it is.
     */
    static native long cipherNew(long old, byte[] algorithm, byte[] operation, byte[] key, byte[] iv,
            int padding, int effectiveKeyBits, int wordBits, int rounds)
            throws GeneralSecurityException;

    static native void cipherFree(long handle);

    static native int cipherUpdateLength(long handle, int input);

    static native int cipherUpdate(long handle, byte[] input, int inputOffset, int inputLength,
            byte[] output, int outputOffset, int outputRoom) throws GeneralSecurityException;

    static native int cipherUpdateDirect(long handle, ByteBuffer input, int inputOffset,
            int inputLength, ByteBuffer output, int outputOffset, int outputRoom)
            throws GeneralSecurityException;

    static native int cipherFinish(long handle, byte[] output, int outputOffset)
            throws GeneralSecurityException;

    static native void cipherReset(long handle, byte[] iv) throws GeneralSecurityException;

    /**
     * An AEAD for nonces and tags of that many bytes; {@code same} says that algorithm and length
     * of the key are the old one's.
     */
    static native long aeadNew(long old, boolean same, byte[] algorithm, byte[] mode, byte[] key,
            int nonce, int tag)
            throws GeneralSecurityException;

    static native void aeadFree(long handle);

    static native void aeadCheck(long handle, int nonce, int tag) throws GeneralSecurityException;

    /** A whole message; every range is checked here, where that costs nothing. */
    static int aeadApply(long handle, boolean open, byte[] nonce, byte[] aad, int aadLength,
            int tag, byte[] input, int inputOffset, int inputLength, byte[] output,
            int outputOffset, int outputRoom) throws GeneralSecurityException {
        check(0, aadLength, aad.length);
        check(inputOffset, inputLength, input.length);
        check(outputOffset, outputRoom, output.length);
        return Calls.aead(handle, open, nonce, aad, aadLength, tag, input, inputOffset,
                inputLength, output, outputOffset, outputRoom);
    }

    private static void check(int from, int count, int length) {
        if ((from | count) < 0 || count > length - from) {
            throw new IndexOutOfBoundsException(count + " bytes from place " + from
                    + " on; allowed: those of an array of " + length);
        }
    }

    static native int aeadMessage(long handle, boolean open, byte[] nonce,
            int nonceLength, byte[] aad, int aadLength, int tag, byte[] input, int inputOffset,
            int inputLength, byte[] output, int outputOffset, int outputRoom)
            throws GeneralSecurityException;

    /** The same between direct buffers. */
    static int aeadApplyDirect(long handle, boolean open, byte[] nonce, byte[] aad, int aadLength,
            int tag, ByteBuffer input, ByteBuffer output) throws GeneralSecurityException {
        check(0, aadLength, aad.length);
        return aeadMessageDirect(handle, open, nonce, nonce.length, aad, aadLength, tag, input,
                input.position(), input.remaining(), output, output.position(),
                output.remaining());
    }

    private static native int aeadMessageDirect(long handle, boolean open, byte[] nonce,
            int nonceLength, byte[] aad, int aadLength, int tag, ByteBuffer input,
            int inputOffset, int inputLength, ByteBuffer output, int outputOffset, int outputRoom)
            throws GeneralSecurityException;

    static native long macNew(long old, byte[] algorithm, byte[] operation, byte[] key, byte[] iv,
            int tag)
            throws GeneralSecurityException;

    static native void macFree(long handle);

    static native int macLength(long handle);

    static native void macUpdate(long handle, byte[] data, int offset, int count)
            throws GeneralSecurityException;

    static native void macUpdateDirect(long handle, ByteBuffer data, int offset, int count)
            throws GeneralSecurityException;

    /** Throws what the last call without JNI failed with. */
    static native void raise() throws GeneralSecurityException;

    static native void macFinish(long handle, byte[] output) throws GeneralSecurityException;

    static native void macReset(long handle, byte[] iv) throws GeneralSecurityException;

    static native long macFork(long handle);
}
