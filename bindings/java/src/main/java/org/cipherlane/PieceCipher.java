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
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.RC2ParameterSpec;
import javax.crypto.spec.RC5ParameterSpec;
import org.cipherlane.internal.Reach;

/** Ciphers without tags: messages in pieces of any length. */
final class PieceCipher extends BaseCipher {
    /** Modes that need a whole message: pieces are collected. */
    private static final Set<String> WHOLE =
            new HashSet<>(Arrays.asList("xts", "xts-gb", "hctr", "ofbnlf"));
    private static final byte[] NOTHING = {};
    private static final int[] USUAL = {-1, -1, -1};

    private final Operation encrypt;
    private final Operation decrypt;
    private final int padding;
    private final boolean whole;
    private final Kept kept = new Kept();
    private Held held;
    private int entry;
    private byte[] key;
    private int[] numbers;
    private byte[] iv = NOTHING;
    /** A message's end for which there was too little room, and the input that it is of. */
    private byte[] late;
    private byte[] lateInput;

    PieceCipher(Operation encrypt, Operation decrypt, int padding, boolean whole) {
        super(encrypt.family);
        this.encrypt = encrypt;
        this.decrypt = decrypt;
        this.padding = padding;
        this.whole = whole;
    }

    /** Whether an operation needs a whole message. */
    static boolean whole(String operation) {
        return WHOLE.contains(operation.replace("-encrypt", ""));
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
        Operation operation = decrypts ? decrypt : encrypt;
        Held now = held;
        boolean sameKey = now != null && decrypts == decrypting
                && MessageDigest.isEqual(bytes, key);
        int number = sameKey ? entry : operation.takes(bytes);
        int[] fresh = numbers(parameters);
        byte[] vector = vector(operation, number, decrypts, parameters, random);
        boolean same = sameKey && Arrays.equals(fresh, numbers);
        if (same) {
            Native.cipherReset(now.handle, vector);
            Reach.keep(now);
            Arrays.fill(bytes, (byte) 0);
        } else {
            long handle = Native.cipherNew(Held.handle(now), operation.algorithm(number),
                    operation.bytes, bytes, vector, padding, fresh[0], fresh[1], fresh[2]);
            held = Held.renewed(now, handle, Native::cipherFree);
            Reach.keep(now);
            if (key != null) {
                Arrays.fill(key, (byte) 0);
            }
            key = bytes;
            entry = number;
        }
        numbers = fresh;
        iv = vector;
        decrypting = decrypts;
        kept.clear();
        forgetLate();
    }

    /** Effective key bits of RC2; word bits and rounds of RC5. */
    private static int[] numbers(AlgorithmParameterSpec parameters) {
        if (parameters instanceof RC2ParameterSpec) {
            return new int[] {((RC2ParameterSpec) parameters).getEffectiveKeyBits(), -1, -1};
        } else if (parameters instanceof RC5ParameterSpec) {
            RC5ParameterSpec rc5 = (RC5ParameterSpec) parameters;
            return new int[] {-1, rc5.getWordSize(), rc5.getRounds()};
        }
        return USUAL;
    }

    private static byte[] vector(Operation operation, int number, boolean decrypts,
            AlgorithmParameterSpec parameters, SecureRandom random)
            throws InvalidAlgorithmParameterException {
        byte[] given = null;
        if (parameters instanceof IvParameterSpec) {
            given = Parameters.iv((IvParameterSpec) parameters, operation);
        } else if (parameters instanceof RC2ParameterSpec) {
            given = ((RC2ParameterSpec) parameters).getIV();
        } else if (parameters instanceof RC5ParameterSpec) {
            given = ((RC5ParameterSpec) parameters).getIV();
        } else if (parameters != null) {
            throw Keys.parameters(operation.title(), parameters, "IvParameterSpec");
        }
        if (given != null) {
            return given;
        }
        int length = operation.entry(number).usualIv();
        if (length == 0) {
            return NOTHING;
        } else if (decrypts) {
            throw Keys.parameters(operation.title(), null, "IvParameterSpec");
        }
        byte[] made = new byte[length];
        Drawn.fill(made, random);
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
        } else if (late != null) {
            throw new IllegalStateException("the end of the message waits for more room: repeat "
                    + "doFinal with the same input, or initialise the cipher");
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
            AlgorithmParameters parameters = AlgorithmParameters.getInstance(family.name(),
                    CipherlaneProvider.own());
            parameters.init(new IvParameterSpec(iv));
            return parameters;
        } catch (NoSuchAlgorithmException | InvalidParameterSpecException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    protected int engineGetOutputSize(int input) {
        if (late != null) {
            return late.length;
        }
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
            Reach.keep(now);
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
            Reach.keep(now);
        }
    }

    @Override
    protected int engineUpdate(ByteBuffer input, ByteBuffer output) throws ShortBufferException {
        if (whole) {
            held();
            kept.add(input);
            return 0;
        }
        if (!input.isDirect() || !output.isDirect() || output.isReadOnly()) {
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
            Reach.keep(now);
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
        if (late != null) {
            return repeat(input, offset, length, output, outputOffset);
        }
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
                kept.add(input == null ? NOTHING : input, offset, length);
                written = apply(kept.bytes, 0, kept.length, target, from, target.length - from);
            } else if (length > 0 || whole) {
                byte[] data = input == null ? NOTHING : input;
                written = apply(data, offset, length, target, from, target.length - from);
            } else {
                written = 0;
            }
            written += Native.cipherFinish(now.handle, target, from + written);
            if (aside) {
                if (written > room) {
                    late = Arrays.copyOf(target, written);
                    lateInput = input == null ? NOTHING
                            : Arrays.copyOfRange(input, offset, offset + length);
                } else {
                    System.arraycopy(target, 0, output, outputOffset, written);
                }
                Arrays.fill(target, (byte) 0);
                if (late != null) {
                    throw new ShortBufferException(room + " bytes; allowed: " + written);
                }
            }
            return written;
        } catch (GeneralSecurityException error) {
            throw rethrow(error);
        } finally {
            restart(now);
        }
    }

    /** The call repeated with more room, as the JCA promises that it can be. */
    private int repeat(byte[] input, int offset, int length, byte[] output, int outputOffset)
            throws ShortBufferException {
        byte[] given = input == null ? NOTHING : Arrays.copyOfRange(input, offset, offset + length);
        if (!MessageDigest.isEqual(given, lateInput)) {
            held();
        }
        int room = output.length - outputOffset;
        int written = late.length;
        if (room < written) {
            throw new ShortBufferException(room + " bytes; allowed: " + written);
        }
        System.arraycopy(late, 0, output, outputOffset, written);
        forgetLate();
        return written;
    }

    private void forgetLate() {
        if (late != null) {
            Arrays.fill(late, (byte) 0);
            late = null;
            lateInput = null;
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
            Reach.keep(now);
        }
    }
}
