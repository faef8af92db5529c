package org.cipherlane;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.MacSpi;
import org.cipherlane.internal.Reach;

/**
 * MACs. One that takes an IV is at its end after a tag, as two tags under one IV give the key of
 * the hash away: it waits for an initialisation with another IV.
 */
final class MacImpl extends MacSpi implements Cloneable {
    private static final Parameters NONE =
            new Parameters(new byte[0], Parameters.UNSAID, new byte[0]);

    private final Operation operation;
    private final byte[] one = new byte[1];
    private Held held;
    private byte[] key;
    private byte[] iv = {};
    /** The length of a tag that was asked for. */
    private int asked = Parameters.UNSAID;
    private int length;
    /** Whether something was read since the message began. */
    private boolean begun;
    /** Whether the IV has served a message. */
    private boolean spent;
    /** The IV of the last tag under the key; null before the first one. */
    private byte[] tagged;

    MacImpl(Operation operation) {
        this.operation = operation;
        length = operation.entry(0).tag();
    }

    @Override
    protected int engineGetMacLength() {
        return length;
    }

    @Override
    protected void engineInit(Key given, AlgorithmParameterSpec parameters)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        byte[] bytes = Keys.bytes(given);
        try {
            start(bytes, parameters);
        } finally {
            // The MAC keeps a copy of its own.
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private void start(byte[] bytes, AlgorithmParameterSpec parameters)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        int entry = operation.takes(bytes);
        Parameters read = parameters == null ? NONE : Parameters.of(parameters, operation);
        boolean needsIv = operation.entry(entry).usualIv() > 0;
        if (read == null || read.aad().length > 0 || needsIv && read.iv().length == 0) {
            throw Keys.parameters(operation.title(), parameters, needsIv
                    ? "IvParameterSpec, MacParameterSpec with an IV" : "none, MacParameterSpec");
        }
        int tag = read.tagBytes(operation);
        Held now = held;
        boolean sameKey = now != null && MessageDigest.isEqual(bytes, key);
        boolean again = sameKey && tagged != null && Arrays.equals(read.iv(), tagged);
        if (again && AeadCipher.remembers("mac")) {
            throw new InvalidAlgorithmParameterException(operation.title()
                    + ": the IV is the last message's; allowed: another one for each");
        }
        try {
            if (sameKey && tag == asked && !again) {
                Native.macReset(now.handle, read.iv());
                Reach.keep(now);
            } else {
                long handle = Native.macNew(Held.handle(now), operation.algorithm(entry),
                        operation.bytes, bytes, read.iv(), tag);
                held = Held.renewed(now, handle, Native::macFree);
                length = Native.macLength(handle);
                Reach.keep(now);
                if (key != null) {
                    Arrays.fill(key, (byte) 0);
                }
                key = bytes.clone();
                tagged = sameKey ? tagged : null;
            }
        } catch (InvalidKeyException | InvalidAlgorithmParameterException error) {
            throw error;
        } catch (GeneralSecurityException error) {
            throw new InvalidKeyException(error.getMessage(), error);
        }
        iv = read.iv();
        asked = tag;
        begun = false;
        spent = false;
    }

    /** What is held now; the caller keeps it reachable, whatever another thread starts. */
    private Held held() {
        Held now = held;
        if (now == null) {
            throw new IllegalStateException("the MAC is not initialised");
        } else if (spent) {
            throw new IllegalStateException(operation.title()
                    + ": the IV is used; initialise the MAC with another one");
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
        begun = true;
        try {
            Calls.mac(now.handle, input, offset, count);
        } catch (GeneralSecurityException error) {
            // A limit of the standard.
            throw new IllegalStateException(error.getMessage(), error);
        } finally {
            Reach.keep(now);
        }
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
        if (!input.isDirect()) {
            super.engineUpdate(input);
            return;
        }
        Held now = held();
        begun = true;
        try {
            Native.macUpdateDirect(now.handle, input, input.position(), input.remaining());
            input.position(input.limit());
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error.getMessage(), error);
        } finally {
            Reach.keep(now);
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
            Reach.keep(now);
        }
        begun = false;
        if (iv.length > 0) {
            spent = true;
            tagged = iv;
        }
        return tag;
    }

    /** Called after each tag too, where there is nothing left to do. */
    @Override
    protected void engineReset() {
        Held now = held;
        if (now == null || !begun) {
            return;
        }
        try {
            Native.macReset(now.handle, iv);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            Reach.keep(now);
        }
        begun = false;
    }

    @Override
    public Object clone() throws CloneNotSupportedException {
        if (iv.length > 0) {
            throw new CloneNotSupportedException(operation.title()
                    + ": an IV serves one message; allowed: a MAC of its own, with another IV");
        }
        MacImpl copy = new MacImpl(operation);
        Held now = held;
        if (now != null) {
            copy.held = new Held(Native.macFork(now.handle), Native::macFree);
            copy.key = key.clone();
            copy.asked = asked;
            copy.length = length;
            copy.begun = begun;
        }
        Reach.keep(now);
        return copy;
    }
}
