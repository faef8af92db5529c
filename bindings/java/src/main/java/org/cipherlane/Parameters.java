package org.cipherlane;

import java.lang.reflect.Method;
import java.security.InvalidAlgorithmParameterException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * What the parameters of an AEAD or MAC say: its IV, the length of its tags in bits and associated
 * data that comes before all other. What is not said is {@link #UNSAID} or empty.
 */
final class Parameters {
    static final int UNSAID = -1;
    private static final byte[] NOTHING = {};

    /**
     * Bouncy Castle's parameters of AEADs are an IvParameterSpec with more in it, and other classes
     * may be: what they say of tag and associated data is asked for by the names of the methods,
     * found once a class. Taken for a plain IV they would lose both without a word.
     */
    private static final ClassValue<Method[]> MORE = new ClassValue<Method[]>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
            try {
                return new Method[] {
                    type.getMethod("getMacSizeInBits"), type.getMethod("getAssociatedData"),
                };
            } catch (NoSuchMethodException plain) {
                return new Method[0];
            }
        }
    };

    private final byte[] iv;
    private final int tagBits;
    private final byte[] aad;

    Parameters(byte[] iv, int tagBits, byte[] aad) {
        this.iv = iv;
        this.tagBits = tagBits;
        this.aad = aad;
    }

    byte[] iv() {
        return iv;
    }

    byte[] aad() {
        return aad;
    }

    /** Of the parameters of an operation; null if they are of another kind. */
    static Parameters of(AlgorithmParameterSpec given, Operation operation)
            throws InvalidAlgorithmParameterException {
        if (given instanceof GCMParameterSpec) {
            GCMParameterSpec it = (GCMParameterSpec) given;
            return new Parameters(it.getIV(), it.getTLen(), NOTHING);
        } else if (given instanceof MacParameterSpec) {
            MacParameterSpec it = (MacParameterSpec) given;
            return new Parameters(it.getIV(), it.getTLen(), NOTHING);
        } else if (given instanceof IvParameterSpec) {
            return more((IvParameterSpec) given, operation);
        }
        return null;
    }

    /** The IV alone, for what has no tag. */
    static byte[] iv(IvParameterSpec given, Operation operation)
            throws InvalidAlgorithmParameterException {
        Parameters read = more(given, operation);
        if (read.tagBits != UNSAID || read.aad.length > 0) {
            throw new InvalidAlgorithmParameterException(operation.title() + ": "
                    + given.getClass().getName() + " has a tag or associated data, which this "
                    + "cipher has not; allowed: IvParameterSpec");
        }
        return read.iv;
    }

    private static Parameters more(IvParameterSpec given, Operation operation)
            throws InvalidAlgorithmParameterException {
        Class<?> type = given.getClass();
        if (type == IvParameterSpec.class) {
            return new Parameters(given.getIV(), UNSAID, NOTHING);
        } else if (given instanceof Air3gppParameterSpec) {
            Air3gppParameterSpec it = (Air3gppParameterSpec) given;
            String mode = operation.name.replace("-seal", "");
            // The keystream of ZUC-128 under the IV of EEA3 is EEA3.
            boolean same = it.operation().equals("eea3") && mode.equals("keystream")
                    && operation.family.name().equals("ZUC-128");
            if (!same && !it.operation().equals(mode)) {
                throw new InvalidAlgorithmParameterException(
                        operation.title() + ": " + it + "; allowed: one made for " + mode);
            }
            int bits = it.getTLen();
            return new Parameters(it.getIV(), bits == 0 ? UNSAID : bits, NOTHING);
        }
        Method[] more = MORE.get(type);
        if (more.length == 0) {
            return new Parameters(given.getIV(), UNSAID, NOTHING);
        }
        try {
            byte[] aad = (byte[]) more[1].invoke(given);
            return new Parameters(given.getIV(), (int) more[0].invoke(given),
                    aad == null ? NOTHING : aad);
        } catch (ReflectiveOperationException | ClassCastException error) {
            throw new InvalidAlgorithmParameterException(operation.title() + ": "
                    + type.getName() + " can't be read; allowed: GCMParameterSpec", error);
        }
    }

    /** The tag's length in whole bytes; {@link #UNSAID} where nothing is said. */
    int tagBytes(Operation operation) throws InvalidAlgorithmParameterException {
        if (tagBits == UNSAID) {
            return UNSAID;
        } else if (tagBits < 0 || tagBits % 8 != 0) {
            throw new InvalidAlgorithmParameterException(
                    operation.title() + ": a tag of " + tagBits + " bits; allowed: whole bytes");
        }
        return tagBits / 8;
    }
}
