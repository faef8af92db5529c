package org.cipherlane;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/** What both kinds of ciphers share. */
abstract class BaseCipher extends CipherSpi {
    final Family family;
    boolean decrypting;

    BaseCipher(Family family) {
        this.family = family;
    }

    /** Starts a message. */
    abstract void start(boolean decrypt, byte[] key, AlgorithmParameterSpec parameters,
            SecureRandom random) throws GeneralSecurityException;

    /** The specification of algorithm parameters. */
    abstract AlgorithmParameterSpec specification(AlgorithmParameters parameters)
            throws InvalidAlgorithmParameterException;

    @Override
    protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
        throw new NoSuchAlgorithmException(family.name() + " has no mode " + mode);
    }

    @Override
    protected void engineSetPadding(String padding) throws NoSuchPaddingException {
        if (!padding.equalsIgnoreCase("NoPadding")) {
            throw new NoSuchPaddingException(family.name() + " has no padding " + padding);
        }
    }

    @Override
    protected int engineGetBlockSize() {
        return family.block();
    }

    @Override
    protected int engineGetKeySize(Key key) throws InvalidKeyException {
        byte[] bytes = Keys.bytes(key);
        Arrays.fill(bytes, (byte) 0);
        return 8 * bytes.length;
    }

    @Override
    protected void engineInit(int mode, Key key, SecureRandom random) throws InvalidKeyException {
        try {
            engineInit(mode, key, (AlgorithmParameterSpec) null, random);
        } catch (InvalidAlgorithmParameterException missing) {
            throw new InvalidKeyException(missing.getMessage(), missing);
        }
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameters parameters,
            SecureRandom random) throws InvalidKeyException, InvalidAlgorithmParameterException {
        engineInit(mode, key, parameters == null ? null : specification(parameters), random);
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameterSpec parameters,
            SecureRandom random) throws InvalidKeyException, InvalidAlgorithmParameterException {
        boolean decrypt = mode == Cipher.DECRYPT_MODE || mode == Cipher.UNWRAP_MODE;
        byte[] bytes = Keys.bytes(key);
        boolean started = false;
        try {
            start(decrypt, bytes, parameters, random);
            started = true;
        } catch (InvalidKeyException | InvalidAlgorithmParameterException error) {
            throw error;
        } catch (GeneralSecurityException error) {
            throw new InvalidAlgorithmParameterException(error.getMessage(), error);
        } finally {
            if (!started) {
                Arrays.fill(bytes, (byte) 0);
            }
        }
    }

    @Override
    protected byte[] engineWrap(Key key) throws InvalidKeyException, IllegalBlockSizeException {
        byte[] bytes = Keys.bytes(key);
        try {
            return engineDoFinal(bytes, 0, bytes.length);
        } catch (BadPaddingException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @Override
    protected Key engineUnwrap(byte[] wrapped, String algorithm, int type)
            throws InvalidKeyException, NoSuchAlgorithmException {
        byte[] bytes;
        try {
            bytes = engineDoFinal(wrapped, 0, wrapped.length);
        } catch (BadPaddingException | IllegalBlockSizeException error) {
            throw new InvalidKeyException("the wrapped key is not valid", error);
        }
        try {
            switch (type) {
                case Cipher.SECRET_KEY:
                    return new SecretKeySpec(bytes, algorithm);
                case Cipher.PUBLIC_KEY:
                    return KeyFactory.getInstance(algorithm)
                            .generatePublic(new X509EncodedKeySpec(bytes));
                default:
                    return KeyFactory.getInstance(algorithm)
                            .generatePrivate(new PKCS8EncodedKeySpec(bytes));
            }
        } catch (InvalidKeySpecException error) {
            throw new InvalidKeyException("the unwrapped key is not valid", error);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** Throws what may be thrown at the end of a message, whatever it is. */
    static RuntimeException rethrow(GeneralSecurityException error)
            throws BadPaddingException, IllegalBlockSizeException, ShortBufferException {
        if (error instanceof BadPaddingException) {
            throw (BadPaddingException) error;
        } else if (error instanceof IllegalBlockSizeException) {
            throw (IllegalBlockSizeException) error;
        } else if (error instanceof ShortBufferException) {
            throw (ShortBufferException) error;
        }
        return new IllegalStateException(error.getMessage(), error);
    }
}
