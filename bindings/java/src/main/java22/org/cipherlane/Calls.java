package org.cipherlane;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.security.GeneralSecurityException;
import java.util.Objects;

/** The calls on arrays from Java 22 on: downcalls that take arrays where they lie. */
final class Calls {
    /**
     * Longer data goes through JNI: a critical downcall holds up a collection of garbage until
     * it returns, while a pinned array does not.
     */
    private static final int MOST = 1 << 16;

    private static final MethodHandle AEAD = find("cipherlane_java_aead", JAVA_LONG, JAVA_INT,
            ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS,
            JAVA_INT, JAVA_INT);
    private static final MethodHandle CIPHER = find("cipherlane_java_cipher", JAVA_LONG, ADDRESS,
            JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle MAC =
            find("cipherlane_java_mac", JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT);

    private Calls() {}

    private static MethodHandle find(String name, MemoryLayout... arguments) {
        Native.need();
        MemorySegment address = SymbolLookup.loaderLookup().find(name).orElseThrow();
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, arguments);
        return Linker.nativeLinker().downcallHandle(address, type, Linker.Option.critical(true));
    }

    private static MemorySegment of(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    /** What a call returned, or what it failed with. */
    private static int result(int returned) throws GeneralSecurityException {
        if (returned < 0) {
            Native.raise();
        }
        return returned;
    }

    private static AssertionError impossible(Throwable thrown) {
        return new AssertionError("a downcall throws nothing", thrown);
    }

    /** A whole message; the caller has checked all ranges. */
    static int aead(long handle, boolean open, byte[] nonce, byte[] aad, int aadLength, int tag,
            byte[] input, int inputOffset, int inputLength, byte[] output, int outputOffset,
            int outputRoom) throws GeneralSecurityException {
        if (inputLength > MOST || aadLength > MOST) {
            return Native.aeadMessage(handle, open, nonce, nonce.length, aad, aadLength, tag,
                    input, inputOffset, inputLength, output, outputOffset, outputRoom);
        }
        int returned;
        try {
            returned = (int) AEAD.invokeExact(handle, open ? 1 : 0, of(nonce), nonce.length,
                    of(aad), aadLength, tag, of(input), inputOffset, inputLength, of(output),
                    outputOffset, outputRoom);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
        return result(returned);
    }

    static int cipher(long handle, byte[] input, int inputOffset, int inputLength,
            byte[] output, int outputOffset, int outputRoom) throws GeneralSecurityException {
        if (inputLength > MOST) {
            return Native.cipherUpdate(handle, input, inputOffset, inputLength, output,
                    outputOffset, outputRoom);
        }
        Objects.checkFromIndexSize(inputOffset, inputLength, input.length);
        Objects.checkFromIndexSize(outputOffset, outputRoom, output.length);
        int returned;
        try {
            returned = (int) CIPHER.invokeExact(handle, of(input), inputOffset, inputLength,
                    of(output), outputOffset, outputRoom);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
        return result(returned);
    }

    static void mac(long handle, byte[] data, int offset, int count)
            throws GeneralSecurityException {
        if (count > MOST) {
            Native.macUpdate(handle, data, offset, count);
            return;
        }
        Objects.checkFromIndexSize(offset, count, data.length);
        int returned;
        try {
            returned = (int) MAC.invokeExact(handle, of(data), offset, count);
        } catch (Throwable thrown) {
            throw impossible(thrown);
        }
        result(returned);
    }

    /** How calls are made. */
    static String way() {
        return "downcalls";
    }
}
