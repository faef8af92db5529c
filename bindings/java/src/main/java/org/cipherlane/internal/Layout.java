package org.cipherlane.internal;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.cipherlane.CipherlaneProvider;

/**
 * Values as {@code aes_encrypt} of Spark makes them: IV, ciphertext and tag, in this order. Of the
 * jar's own classes only.
 */
public enum Layout {
    GCM("SM4/GCM/NoPadding", 12),
    CBC("SM4/CBC/PKCS5Padding", 16),
    ECB("SM4/ECB/PKCS5Padding", 0);

    private static final CipherlaneProvider PROVIDER = new CipherlaneProvider();
    private static final int IVS_AT_ONCE = 256;
    private static final int TAG_BITS = 128;
    private static final byte[] NOTHING = {};

    private final String transformation;
    private final int iv;
    private final ThreadLocal<Cipher> ciphers;
    private final ThreadLocal<Ivs> drawn;

    Layout(String transformation, int iv) {
        this.transformation = transformation;
        this.iv = iv;
        this.ciphers = ThreadLocal.withInitial(this::cipher);
        this.drawn = ThreadLocal.withInitial(() -> new Ivs(iv));
    }

    /** The mode of that name. */
    public static Layout of(String mode) {
        try {
            return valueOf(mode.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException error) {
            throw new IllegalArgumentException(
                    "mode " + mode + "; allowed: " + Arrays.toString(values()), error);
        }
    }

    private Cipher cipher() {
        try {
            return Cipher.getInstance(transformation, PROVIDER);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Encrypts under the key that a reference names. */
    public byte[] encrypt(byte[] value, String reference) throws GeneralSecurityException {
        return encrypt(value, References.key(reference), NOTHING, NOTHING);
    }

    /** With an IV where one is given, else with one that is drawn. */
    byte[] encrypt(byte[] value, SecretKeySpec key, byte[] given, byte[] aad)
            throws GeneralSecurityException {
        checkGiven(given, aad);
        Cipher cipher = ciphers.get();
        if (iv == 0) {
            cipher.init(Cipher.ENCRYPT_MODE, key);
            return cipher.doFinal(value);
        }
        byte[] own = given.length > 0 ? given : drawn.get().next();
        cipher.init(Cipher.ENCRYPT_MODE, key, parameters(own, 0));
        if (aad.length > 0) {
            cipher.updateAAD(aad);
        }
        byte[] out = new byte[iv + cipher.getOutputSize(value.length)];
        System.arraycopy(own, 0, out, 0, iv);
        int written = iv + cipher.doFinal(value, 0, value.length, out, iv);
        return written == out.length ? out : Arrays.copyOf(out, written);
    }

    /** Decrypts under the key that a reference names. */
    public byte[] decrypt(byte[] value, String reference) throws GeneralSecurityException {
        return decrypt(value, References.key(reference), NOTHING);
    }

    byte[] decrypt(byte[] value, SecretKeySpec key, byte[] aad) throws GeneralSecurityException {
        checkGiven(NOTHING, aad);
        if (value.length < iv) {
            throw new BadPaddingException("a value of " + value.length + " bytes is too short");
        }
        Cipher cipher = ciphers.get();
        if (iv == 0) {
            cipher.init(Cipher.DECRYPT_MODE, key);
        } else {
            cipher.init(Cipher.DECRYPT_MODE, key, parameters(value, 0));
        }
        if (aad.length > 0) {
            cipher.updateAAD(aad);
        }
        return cipher.doFinal(value, iv, value.length - iv);
    }

    private void checkGiven(byte[] given, byte[] aad) {
        if (given.length > 0 && given.length != iv) {
            throw new IllegalArgumentException("iv has " + given.length + " bytes; allowed in mode "
                    + this + ": " + (iv == 0 ? "none" : iv + ", or none for one that is drawn"));
        } else if (aad.length > 0 && this != GCM) {
            throw new IllegalArgumentException(
                    "aad has " + aad.length + " bytes; allowed in mode " + this + ": none");
        }
    }

    /** Refuses the name of a padding that the mode has not. */
    void checkPadding(String name) {
        String own = this == GCM ? "NONE" : "PKCS";
        if (!name.equalsIgnoreCase("DEFAULT") && !name.equalsIgnoreCase(own)) {
            throw new IllegalArgumentException(
                    "padding " + name + "; allowed in mode " + this + ": DEFAULT, " + own);
        }
    }

    private AlgorithmParameterSpec parameters(byte[] bytes, int at) {
        return this == GCM
                ? new GCMParameterSpec(TAG_BITS, bytes, at, iv)
                : new IvParameterSpec(bytes, at, iv);
    }

    /** Random IVs: many are drawn at once, which is what costs. */
    private static final class Ivs {
        private final SecureRandom random = new SecureRandom();
        private final byte[] bytes;
        private final int length;
        private int used;

        Ivs(int length) {
            this.length = length;
            bytes = new byte[length * IVS_AT_ONCE];
            used = bytes.length;
        }

        byte[] next() {
            if (used == bytes.length) {
                random.nextBytes(bytes);
                used = 0;
            }
            used += length;
            return Arrays.copyOfRange(bytes, used - length, used);
        }
    }
}
