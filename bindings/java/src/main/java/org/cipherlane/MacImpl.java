package org.cipherlane;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.MacSpi;
import javax.crypto.spec.IvParameterSpec;

/** MACs. */
final class MacImpl extends MacSpi implements Cloneable {
    private final Family family;
    private final String operation;
    private final byte[] one = new byte[1];
    private Held held;
    private int length;

    MacImpl(Family family, String operation) {
        this.family = family;
        this.operation = operation;
        length = Entry.ALL.stream()
                .filter(entry -> family.members().contains(entry.algorithm())
                        && entry.operation().equals(operation))
                .findFirst().orElseThrow().tag();
    }

    @Override
    protected int engineGetMacLength() {
        return length;
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec parameters)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        byte[] bytes = Keys.bytes(key);
        Entry entry = Keys.entry(family, operation, bytes);
        byte[] iv = {};
        if (parameters instanceof IvParameterSpec it) {
            iv = it.getIV();
        } else if (parameters != null || entry.usualIv() > 0) {
            throw Keys.parameters(operation, parameters, "IvParameterSpec");
        }
        try {
            long handle = Native.macNew(Native.name(entry.algorithm()), Native.name(operation),
                    bytes, iv, -1);
            var now = new Held(handle, Native::macFree);
            length = Native.macLength(handle);
            held = now;
        } catch (InvalidKeyException | InvalidAlgorithmParameterException error) {
            throw error;
        } catch (GeneralSecurityException error) {
            throw new InvalidKeyException(error.getMessage(), error);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** What is held now; the caller keeps it reachable, whatever another thread starts. */
    private Held held() {
        Held now = held;
        if (now == null) {
            throw new IllegalStateException("the MAC is not initialised");
        }
        return now;
    }

    @Override
    protected void engineUpdate(byte input) {
        one[0] = input;
        engineUpdate(one, 0, 1);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int count) {
        Held now = held();
        try {
            Calls.mac(now.handle, input, offset, count);
        } catch (GeneralSecurityException error) {
            // A limit of the standard.
            throw new IllegalStateException(error.getMessage(), error);
        } finally {
            Reference.reachabilityFence(now);
        }
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
        if (!input.isDirect()) {
            super.engineUpdate(input);
            return;
        }
        Held now = held();
        try {
            Native.macUpdateDirect(now.handle, input, input.position(), input.remaining());
            input.position(input.limit());
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error.getMessage(), error);
        } finally {
            Reference.reachabilityFence(now);
        }
    }

    @Override
    protected byte[] engineDoFinal() {
        byte[] tag = new byte[length];
        Held now = held();
        try {
            Native.macFinish(now.handle, tag);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error.getMessage(), error);
        } finally {
            Reference.reachabilityFence(now);
        }
        return tag;
    }

    @Override
    protected void engineReset() {
        if (held != null) {
            engineDoFinal();
        }
    }

    @Override
    public Object clone() throws CloneNotSupportedException {
        var copy = new MacImpl(family, operation);
        Held now = held;
        if (now != null) {
            copy.held = new Held(Native.macFork(now.handle), Native::macFree);
            copy.length = length;
        }
        Reference.reachabilityFence(now);
        return copy;
    }
}
