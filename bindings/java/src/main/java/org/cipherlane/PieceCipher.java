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
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.RC2ParameterSpec;
import javax.crypto.spec.RC5ParameterSpec;

/** Ciphers without tags: messages in pieces of any length. */
final class PieceCipher extends BaseCipher {
    /** Modes that need a whole message: pieces are collected. */
    private static final Set<String> WHOLE = Set.of("xts", "xts-gb", "hctr", "ofbnlf");

    private final String encrypt;
    private final String decrypt;
    private final int padding;
    private final boolean whole;
    private final Kept kept = new Kept();
    private Held held;
    private Entry entry;
    private byte[] key;
    private int[] numbers;
    private byte[] iv = {};

    PieceCipher(Family family, String encrypt, String decrypt, int padding) {
        super(family);
        this.encrypt = encrypt;
        this.decrypt = decrypt;
        this.padding = padding;
        whole = WHOLE.contains(encrypt.replace("-encrypt", ""));
    }

    @Override
    protected void engineSetPadding(String name) throws javax.crypto.NoSuchPaddingException {
        if (padding == 0) {
            super.engineSetPadding(name);
        }
    }

    @Override
    void start(boolean decrypts, byte[] bytes, AlgorithmParameterSpec parameters,
            SecureRandom random) throws GeneralSecurityException {
        String operation = decrypts ? decrypt : encrypt;
        Held now = held;
        boolean sameKey = now != null && decrypts == decrypting
                && MessageDigest.isEqual(bytes, key);
        if (!sameKey) {
            entry = Keys.entry(family, operation, bytes);
        }
        int[] fresh = numbers(parameters);
        byte[] vector = vector(decrypts, parameters, random);
        boolean same = sameKey && Arrays.equals(fresh, numbers);
        if (same) {
            Native.cipherReset(now.handle, vector);
            Reference.reachabilityFence(now);
            Arrays.fill(bytes, (byte) 0);
        } else {
            long handle = Native.cipherNew(Native.name(entry.algorithm()), Native.name(operation),
                    bytes, vector, padding, fresh[0], fresh[1], fresh[2]);
            held = new Held(handle, Native::cipherFree);
            if (key != null) {
                Arrays.fill(key, (byte) 0);
            }
            key = bytes;
        }
        numbers = fresh;
        iv = vector;
        decrypting = decrypts;
        kept.clear();
    }

    /** Effective key bits of RC2; word bits and rounds of RC5. */
    private static int[] numbers(AlgorithmParameterSpec parameters) {
        if (parameters instanceof RC2ParameterSpec rc2) {
            return new int[] {rc2.getEffectiveKeyBits(), -1, -1};
        } else if (parameters instanceof RC5ParameterSpec rc5) {
            return new int[] {-1, rc5.getWordSize(), rc5.getRounds()};
        }
        return new int[] {-1, -1, -1};
    }

    private byte[] vector(boolean decrypts, AlgorithmParameterSpec parameters,
            SecureRandom random) throws InvalidAlgorithmParameterException {
        byte[] given = null;
        if (parameters instanceof IvParameterSpec it) {
            given = it.getIV();
        } else if (parameters instanceof RC2ParameterSpec it) {
            given = it.getIV();
        } else if (parameters instanceof RC5ParameterSpec it) {
            given = it.getIV();
        } else if (parameters != null) {
            throw Keys.parameters(family.name(), parameters, "IvParameterSpec");
        }
        if (given != null) {
            return given;
        }
        byte[] made = new byte[entry.usualIv()];
        if (made.length > 0) {
            if (decrypts) {
                throw Keys.parameters(family.name(), null, "IvParameterSpec");
            }
            (random == null ? new SecureRandom() : random).nextBytes(made);
        }
        return made;
    }

    @Override
    AlgorithmParameterSpec specification(AlgorithmParameters parameters)
            throws InvalidAlgorithmParameterException {
        try {
            return parameters.getParameterSpec(IvParameterSpec.class);
        } catch (InvalidParameterSpecException error) {
            throw new InvalidAlgorithmParameterException(error.getMessage(), error);
        }
    }

    /** What is held now; the caller keeps it reachable, whatever another thread starts. */
    private Held held() {
        Held now = held;
        if (now == null) {
            throw new IllegalStateException("the cipher is not initialised");
        }
        return now;
    }

    @Override
    protected byte[] engineGetIV() {
        return iv.length == 0 ? null : iv.clone();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        if (iv.length == 0) {
            return null;
        }
        try {
            var parameters = AlgorithmParameters.getInstance(family.name(),
                    new CipherlaneProvider());
            parameters.init(new IvParameterSpec(iv));
            return parameters;
        } catch (NoSuchAlgorithmException | InvalidParameterSpecException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    protected int engineGetOutputSize(int input) {
        long length = (long) kept.length + input;
        if (!whole) {
            int last = padding == 0 ? 0 : 16;
            length = (long) updateLength(input) + last;
        }
        return (int) Math.min(length, Integer.MAX_VALUE);
    }

    private int updateLength(int input) {
        Held now = held();
        try {
            return Native.cipherUpdateLength(now.handle, input);
        } finally {
            Reference.reachabilityFence(now);
        }
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
        if (whole) {
            held();
            kept.add(input, offset, length);
            return null;
        }
        byte[] output = new byte[updateLength(length)];
        try {
            apply(input, offset, length, output, 0, output.length);
        } catch (ShortBufferException impossible) {
            throw new IllegalStateException(impossible);
        }
        return output.length == 0 ? null : output;
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output,
            int outputOffset) throws ShortBufferException {
        if (whole) {
            held();
            kept.add(input, offset, length);
            return 0;
        }
        return apply(input, offset, length, output, outputOffset, output.length - outputOffset);
    }

    private int apply(byte[] input, int offset, int length, byte[] output, int outputOffset,
            int room) throws ShortBufferException {
        Held now = held();
        try {
            return Calls.cipher(now.handle, input, offset, length, output, outputOffset, room);
        } catch (ShortBufferException error) {
            throw error;
        } catch (GeneralSecurityException error) {
            // A limit of the standard, say.
            throw new IllegalStateException(error.getMessage(), error);
        } finally {
            Reference.reachabilityFence(now);
        }
    }

    @Override
    protected int engineUpdate(ByteBuffer input, ByteBuffer output) throws ShortBufferException {
        if (whole || !input.isDirect() || !output.isDirect() || output.isReadOnly()) {
            return super.engineUpdate(input, output);
        }
        Held now = held();
        try {
            int written = Native.cipherUpdateDirect(now.handle, input, input.position(),
                    input.remaining(), output, output.position(), output.remaining());
            input.position(input.limit());
            output.position(output.position() + written);
            return written;
        } catch (ShortBufferException error) {
            throw error;
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error.getMessage(), error);
        } finally {
            Reference.reachabilityFence(now);
        }
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
            throws IllegalBlockSizeException, BadPaddingException {
        byte[] output = new byte[engineGetOutputSize(length)];
        try {
            int written = engineDoFinal(input, offset, length, output, 0);
            return written == output.length ? output : Arrays.copyOf(output, written);
        } catch (ShortBufferException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output,
            int outputOffset)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        int room = output.length - outputOffset;
        int most = engineGetOutputSize(length);
        // Padding that is taken off may leave less than there must be room for.
        boolean aside = room < most && padding != 0 && decrypting && room > most - 17;
        if (room < most && !aside) {
            throw new ShortBufferException(room + " bytes of output; allowed: " + most);
        }
        Held now = held();
        byte[] target = aside ? new byte[most] : output;
        int from = aside ? 0 : outputOffset;
        try {
            int written;
            if (whole && kept.length > 0) {
                kept.add(input == null ? new byte[0] : input, offset, length);
                written = apply(kept.bytes, 0, kept.length, target, from, target.length - from);
            } else if (length > 0 || whole) {
                byte[] data = input == null ? new byte[0] : input;
                written = apply(data, offset, length, target, from, target.length - from);
            } else {
                written = 0;
            }
            written += Native.cipherFinish(now.handle, target, from + written);
            if (aside) {
                if (written > room) {
                    throw new ShortBufferException(room + " bytes; allowed: " + written);
                }
                System.arraycopy(target, 0, output, outputOffset, written);
                Arrays.fill(target, (byte) 0);
            }
            return written;
        } catch (GeneralSecurityException error) {
            throw rethrow(error);
        } finally {
            restart(now);
        }
    }

    /** As after the initialisation. */
    private void restart(Held now) {
        kept.clear();
        try {
            Native.cipherReset(now.handle, iv);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            Reference.reachabilityFence(now);
        }
    }
}
