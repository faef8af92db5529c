package org.cipherlane;

import java.lang.ref.Reference;
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
import java.util.Set;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * AEADs. Pieces are collected and processed at the end, so that nothing is released before its
 * tag is checked; a message given to {@code doFinal} alone is not copied.
 */
final class AeadCipher extends BaseCipher {
    /** Lets a nonce be used again: for measurements and known answers only. */
    static final String REUSE = "org.cipherlane.allowNonceReuse";

    private static final boolean MAY_REUSE = Boolean.getBoolean(REUSE);
    /** AEADs that a nonce may be given to twice. */
    private static final Set<String> RESISTANT = Set.of("gcm-siv", "mur");
    private static final byte[] NOTHING = {};

    private final String mode;
    /** The name of the operation that encrypts. */
    private final String seal;
    private final boolean remembers;
    private final Kept kept = new Kept();
    private final Kept aad = new Kept();
    private Held held;
    private Entry entry;
    private byte[] key;
    private byte[] nonce = NOTHING;
    private int tag;
    private boolean begun;
    /** Whether the nonce has been used. */
    private boolean spent;

    AeadCipher(Family family, String mode) {
        super(family);
        this.mode = mode;
        seal = Entry.ALL.stream().anyMatch(it -> it.operation().equals(mode)) ? mode
                : mode + "-seal";
        remembers = !MAY_REUSE && !RESISTANT.contains(mode);
    }

    @Override
    void start(boolean decrypts, byte[] bytes, AlgorithmParameterSpec parameters,
            SecureRandom random) throws GeneralSecurityException {
        Held now = held;
        boolean sameKey = now != null && MessageDigest.isEqual(bytes, key);
        if (!sameKey) {
            entry = Keys.entry(family, seal, bytes);
        }
        int tagBytes = Math.min(16, entry.tag());
        byte[] fresh;
        if (parameters instanceof GCMParameterSpec gcm) {
            fresh = gcm.getIV();
            if (gcm.getTLen() % 8 != 0) {
                throw new InvalidAlgorithmParameterException(
                        "a tag of " + gcm.getTLen() + " bits; allowed: whole bytes");
            }
            tagBytes = gcm.getTLen() / 8;
        } else if (parameters instanceof IvParameterSpec iv) {
            fresh = iv.getIV();
        } else if (parameters == null && !decrypts) {
            fresh = new byte[entry.usualIv()];
            (random == null ? new SecureRandom() : random).nextBytes(fresh);
        } else {
            throw Keys.parameters(name(), parameters, "GCMParameterSpec, IvParameterSpec");
        }
        boolean again = sameKey && spent && !decrypting && Arrays.equals(fresh, nonce);
        if (remembers && !decrypts && again) {
            throw new InvalidAlgorithmParameterException(
                    name() + ": the nonce is the last message's; allowed: another one for each");
        }
        if (sameKey) {
            if (fresh.length != nonce.length || tagBytes != tag) {
                Native.aeadCheck(now.handle, fresh.length, tagBytes);
                Reference.reachabilityFence(now);
            }
            Arrays.fill(bytes, (byte) 0);
        } else {
            long handle = Native.aeadNew(Native.name(entry.algorithm()), Native.name(mode), bytes);
            var made = new Held(handle, Native::aeadFree);
            Native.aeadCheck(made.handle, fresh.length, tagBytes);
            held = made;
            if (key != null) {
                Arrays.fill(key, (byte) 0);
            }
            key = bytes;
        }
        nonce = fresh;
        tag = tagBytes;
        decrypting = decrypts;
        spent = false;
        clear();
    }

    private String name() {
        return family.name() + "/" + mode;
    }

    private void clear() {
        kept.clear();
        aad.clear();
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
                    name() + ": the nonce is used; initialise the cipher with another one");
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
            var parameters = AlgorithmParameters.getInstance("GCM", new CipherlaneProvider());
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
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        engineUpdateAAD(bytes, 0, bytes.length);
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
        clear();
        Reference.reachabilityFence(now);
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
