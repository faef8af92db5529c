package org.cipherlane;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import org.cipherlane.internal.Reach;

/**
 * AEADs. Pieces are collected and processed at the end, so that nothing is released before its
 * tag is checked; a message given to {@code doFinal} alone is not copied.
 */
final class AeadCipher extends BaseCipher {
    /** Lets a nonce be used again: for measurements and known answers only. */
    static final String REUSE = "org.cipherlane.allowNonceReuse";

    private static final boolean MAY_REUSE = Boolean.getBoolean(REUSE);
    /** AEADs that a nonce may be given to twice. */
    private static final Set<String> RESISTANT = new HashSet<>(Arrays.asList("gcm-siv", "mur"));
    private static final byte[] NOTHING = {};

    private final byte[] mode;
    /** The operation that encrypts. */
    private final Operation seal;
    private final boolean remembers;
    /** Whether the length of a tag must be said. */
    private final boolean tagSaid;
    private final Kept kept = new Kept();
    private final Kept aad = new Kept();
    private Held held;
    private int entry;
    private byte[] key;
    private byte[] nonce = NOTHING;
    private int tag;
    /** Associated data that the parameters brought, in front of each message's. */
    private byte[] first = NOTHING;
    private boolean begun;
    /** Whether the nonce has been used. */
    private boolean spent;
    /** The nonce of the message that was encrypted last under the key; null if none was. */
    private byte[] sealed;

    AeadCipher(Operation seal, String mode) {
        super(seal.family);
        this.seal = seal;
        this.mode = Native.name(mode);
        remembers = remembers(mode);
        tagSaid = mode.equals("ccm");
    }

    /** Whether a nonce may serve one message only, and nothing allows another. */
    static boolean remembers(String mode) {
        return !MAY_REUSE && !RESISTANT.contains(mode);
    }

    @Override
    void start(boolean decrypts, byte[] bytes, AlgorithmParameterSpec parameters,
            SecureRandom random) throws GeneralSecurityException {
        Held now = held;
        boolean sameKey = now != null && MessageDigest.isEqual(bytes, key);
        int number = sameKey ? entry : seal.takes(bytes);
        Parameters given = parameters == null && !decrypts
                ? drawn(number, random) : Parameters.of(parameters, seal);
        if (given == null) {
            throw Keys.parameters(seal.title(), parameters,
                    tagSaid ? "GCMParameterSpec" : "GCMParameterSpec, IvParameterSpec");
        }
        int tagBytes = given.tagBytes(seal);
        if (tagBytes == Parameters.UNSAID) {
            if (tagSaid && parameters != null) {
                throw new InvalidAlgorithmParameterException(seal.title()
                        + ": IvParameterSpec does not say how long the tag is, and Bouncy Castle "
                        + "takes 8 bytes there; allowed: GCMParameterSpec(TAG_BITS, NONCE), "
                        + "with 64 for data of Bouncy Castle's, or its AEADParameterSpec");
            }
            tagBytes = Math.min(16, seal.entry(number).tag());
        }
        byte[] fresh = given.iv();
        if (remembers && !decrypts && sameKey && Arrays.equals(fresh, sealed)) {
            throw new InvalidAlgorithmParameterException(
                    seal.title() + ": the nonce is the last message's; allowed: another one for "
                            + "each");
        }
        if (sameKey && tagBytes == tag) {
            if (fresh.length != nonce.length) {
                Native.aeadCheck(now.handle, fresh.length, tagBytes);
                Reach.keep(now);
            }
            Arrays.fill(bytes, (byte) 0);
        } else {
            boolean same = number == entry && key != null && key.length == bytes.length;
            long handle = Native.aeadNew(Held.handle(now), same, seal.algorithm(number), mode,
                    bytes, fresh.length, tagBytes);
            held = Held.renewed(now, handle, Native::aeadFree);
            Reach.keep(now);
            if (key != null) {
                Arrays.fill(key, (byte) 0);
            }
            key = bytes;
            entry = number;
            sealed = sameKey ? sealed : null;
        }
        nonce = fresh;
        tag = tagBytes;
        first = given.aad();
        decrypting = decrypts;
        spent = false;
        clear();
    }

    private Parameters drawn(int number, SecureRandom random) {
        byte[] fresh = new byte[seal.entry(number).usualIv()];
        Drawn.fill(fresh, random);
        return new Parameters(fresh, Parameters.UNSAID, NOTHING);
    }

    private void clear() {
        kept.clear();
        aad.clear();
        aad.add(first, 0, first.length);
        begun = false;
    }

    @Override
    AlgorithmParameterSpec specification(AlgorithmParameters parameters)
            throws InvalidAlgorithmParameterException {
        try {
            return parameters.getParameterSpec(GCMParameterSpec.class);
        } catch (InvalidParameterSpecException error) {
            throw new InvalidAlgorithmParameterException(error.getMessage(), error);
        }
    }

    /** What is held now; the caller keeps it reachable, whatever another thread starts. */
    private Held ready() {
        Held now = held;
        if (now == null) {
            throw new IllegalStateException("the cipher is not initialised");
        } else if (spent && remembers && !decrypting) {
            throw new IllegalStateException(
                    seal.title() + ": the nonce is used; initialise the cipher with another one");
        }
        return now;
    }

    @Override
    protected byte[] engineGetIV() {
        return nonce.length == 0 ? null : nonce.clone();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        if (nonce.length == 0) {
            return null;
        }
        try {
            AlgorithmParameters parameters =
                    AlgorithmParameters.getInstance("GCM", CipherlaneProvider.own());
            parameters.init(new GCMParameterSpec(8 * tag, nonce));
            return parameters;
        } catch (NoSuchAlgorithmException | InvalidParameterSpecException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    protected int engineGetOutputSize(int input) {
        long length = (long) kept.length + input + (decrypting ? -tag : tag);
        return (int) Math.min(Math.max(length, 0), Integer.MAX_VALUE);
    }

    @Override
    protected void engineUpdateAAD(byte[] data, int offset, int length) {
        ready();
        if (begun) {
            throw new IllegalStateException("associated data comes before the message");
        }
        aad.add(data, offset, length);
    }

    @Override
    protected void engineUpdateAAD(ByteBuffer data) {
        ready();
        if (begun) {
            throw new IllegalStateException("associated data comes before the message");
        }
        aad.add(data);
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
        ready();
        begun = true;
        kept.add(input, offset, length);
        return null;
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output,
            int outputOffset) {
        engineUpdate(input, offset, length);
        return 0;
    }

    /** Needs no room, as nothing is written: what is usual here would ask for that of the end. */
    @Override
    protected int engineUpdate(ByteBuffer input, ByteBuffer output) {
        ready();
        begun = true;
        kept.add(input);
        return 0;
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
            throws IllegalBlockSizeException, BadPaddingException {
        ready();
        byte[] output = new byte[engineGetOutputSize(length)];
        try {
            engineDoFinal(input, offset, length, output, 0);
        } catch (ShortBufferException impossible) {
            throw new IllegalStateException(impossible);
        }
        return output;
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output,
            int outputOffset)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        Held now = ready();
        int room = output.length - outputOffset;
        checkRoom(room, length);
        byte[] data = input == null ? NOTHING : input;
        try {
            if (kept.length > 0) {
                kept.add(data, offset, length);
                return Native.aeadApply(now.handle, decrypting, nonce, aad.bytes, aad.length, tag,
                        kept.bytes, 0, kept.length, output, outputOffset, room);
            }
            return Native.aeadApply(now.handle, decrypting, nonce, aad.bytes, aad.length, tag,
                    data, offset, length, output, outputOffset, room);
        } catch (GeneralSecurityException error) {
            throw rethrow(error);
        } finally {
            end(now);
        }
    }

    private void checkRoom(int room, int length) throws ShortBufferException {
        int needed = engineGetOutputSize(length);
        if (room < needed) {
            throw new ShortBufferException(room + " bytes of output; allowed: " + needed);
        }
    }

    private void end(Held now) {
        spent = true;
        sealed = decrypting ? sealed : nonce;
        clear();
        Reach.keep(now);
    }

    @Override
    protected int engineDoFinal(ByteBuffer input, ByteBuffer output)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        if (kept.length > 0 || !input.isDirect() || !output.isDirect() || output.isReadOnly()) {
            return super.engineDoFinal(input, output);
        }
        Held now = ready();
        checkRoom(output.remaining(), input.remaining());
        try {
            int written = Native.aeadApplyDirect(now.handle, decrypting, nonce, aad.bytes,
                    aad.length, tag, input, output);
            input.position(input.limit());
            output.position(output.position() + written);
            return written;
        } catch (GeneralSecurityException error) {
            throw rethrow(error);
        } finally {
            end(now);
        }
    }
}
