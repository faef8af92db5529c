package org.cipherlane.dialects;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;

/** Values that other providers of the JCA make by the rules, written here once more. */
class DialectInteropTest {
    private static final Provider THEIRS = new BouncyCastleProvider();
    private static final int VALUES = 300;

    private final Random random = new Random(22);

    private static byte[] theirs(int direction, String name, byte[] key, AlgorithmParameterSpec iv,
            byte[] data) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(name, THEIRS);
        cipher.init(direction, new SecretKeySpec(key, name.replaceFirst("/.*", "")), iv);
        return cipher.doFinal(data);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private String text(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('!' + random.nextInt(94)));
        }
        return text.toString();
    }

    private static byte[] join(byte[]... pieces) {
        int length = Arrays.stream(pieces).mapToInt(it -> it.length).sum();
        byte[] whole = new byte[length];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, whole, at, piece.length);
            at += piece.length;
        }
        return whole;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Key folded by XOR, IV over the engine's constant. */
    @Test
    void doris() throws Exception {
        for (int i = 0; i < VALUES; i++) {
            String text = text(random.nextInt(50));
            byte[] key = new byte[16];
            for (int j = 0; j < text.length(); j++) {
                key[j % 16] ^= (byte) text.charAt(j);
            }
            byte[] iv = utf8("DORISDORISDORIS_");
            byte[] given = utf8(text(1 + random.nextInt(20)));
            System.arraycopy(given, 0, iv, 0, Math.min(16, given.length));
            byte[] plain = bytes(1 + random.nextInt(100));
            byte[] stored = theirs(Cipher.ENCRYPT_MODE, "SM4/CBC/PKCS7Padding", key,
                    new IvParameterSpec(iv), plain);
            try (Codec codec = Dialect.find("doris-sm4").codec().keyText(text)
                    .mode("sm4_128_cbc").iv(given, Form.TEXT).weak(true).build()) {
                assertArrayEquals(stored, codec.encrypt(plain));
                assertArrayEquals(plain, codec.decrypt(stored));
            }
        }
    }

    /** Key filled with zeros, random IV in front of a CTR of 128 bits, Base64. */
    @Test
    void openGauss() throws Exception {
        for (int i = 0; i < VALUES; i++) {
            String text = text(8 + random.nextInt(9));
            byte[] key = Arrays.copyOf(utf8(text), 16);
            byte[] iv = bytes(16);
            if (i % 2 == 0) {
                // The counter runs over its end.
                Arrays.fill(iv, 8, 16, (byte) 0xff);
            }
            byte[] plain = utf8(text(random.nextInt(100)));
            byte[] stored = join(iv, theirs(Cipher.ENCRYPT_MODE, "SM4/CTR/NoPadding", key,
                    new IvParameterSpec(iv), plain));
            try (Codec codec =
                    Dialect.find("opengauss-sm4").codec().keyText(text).weak(true).build()) {
                assertArrayEquals(plain, codec.decrypt(Base64.getEncoder().encode(stored)));
                byte[] ours = Base64.getDecoder().decode(codec.encrypt(plain));
                assertArrayEquals(plain, theirs(Cipher.DECRYPT_MODE, "SM4/CTR/NoPadding", key,
                        new IvParameterSpec(ours, 0, 16), Arrays.copyOfRange(ours, 16,
                                ours.length)));
            }
        }
    }

    /** A key and a MAC's key of PBKDF2, which are one; salt, ciphertext, IV and MAC. */
    @Test
    void openGaussAes() throws Exception {
        for (int i = 0; i < 10; i++) {
            String text = text(8 + random.nextInt(9));
            byte[] plain = utf8(text(random.nextInt(60)));
            byte[] salt = bytes(16);
            byte[] iv = bytes(16);
            byte[] key = derived(text, salt);
            byte[] cipher = theirs(Cipher.ENCRYPT_MODE, "AES/CBC/ISO7816-4Padding", key,
                    new IvParameterSpec(iv), plain);
            byte[] stored = join(salt, cipher, iv, mac(key, cipher, iv));
            try (Codec codec = Dialect.find("opengauss-aes128").codec().keyText(text).weak(true)
                    .build()) {
                assertArrayEquals(plain, codec.decrypt(Base64.getEncoder().encode(stored)));
                byte[] ours = Base64.getDecoder().decode(codec.encrypt(plain));
                int end = ours.length - 36;
                byte[] body = Arrays.copyOfRange(ours, 16, end);
                byte[] own = Arrays.copyOfRange(ours, end, end + 16);
                byte[] derived = derived(text, Arrays.copyOf(ours, 16));
                assertArrayEquals(mac(derived, body, own),
                        Arrays.copyOfRange(ours, end + 16, ours.length));
                assertArrayEquals(plain, theirs(Cipher.DECRYPT_MODE, "AES/CBC/ISO7816-4Padding",
                        derived, new IvParameterSpec(own), body));
            }
        }
    }

    private static byte[] derived(String text, byte[] salt) throws GeneralSecurityException {
        PBEKeySpec spec = new PBEKeySpec(text.toCharArray(), salt, 10_000, 128);
        return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec)
                .getEncoded();
    }

    private static byte[] mac(byte[] key, byte[]... over) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA1");
        mac.init(new SecretKeySpec(key, "HmacSHA1"));
        return mac.doFinal(join(over));
    }

    /** The IV is the key. */
    @Test
    void hiveFunctionOfVastbase() throws Exception {
        for (int i = 0; i < VALUES; i++) {
            byte[] key = bytes(16);
            byte[] plain = utf8(text(random.nextInt(100)));
            byte[] stored = theirs(Cipher.ENCRYPT_MODE, "SM4/GCM/NoPadding", key,
                    new GCMParameterSpec(128, key), plain);
            try (Codec codec = Dialect.find("vastbase-hive-sm4-gcm").codec().weak(true)
                    .key(Base64.getEncoder().encode(key), Form.BASE64).build()) {
                assertEquals(Base64.getEncoder().encodeToString(stored),
                        codec.encrypt(new String(plain, StandardCharsets.UTF_8)));
                assertArrayEquals(plain, codec.decrypt(Base64.getEncoder().encode(stored)));
            }
        }
    }

    /** As Spark's {@code aes_encrypt} in GCM: IV, ciphertext and tag. */
    @Test
    void spark() throws Exception {
        for (int i = 0; i < VALUES; i++) {
            byte[] key = bytes(16 + 8 * (i % 3));
            byte[] iv = bytes(12);
            byte[] aad = bytes(random.nextInt(20));
            byte[] plain = bytes(random.nextInt(100));
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"),
                    new GCMParameterSpec(128, iv));
            cipher.updateAAD(aad);
            byte[] stored = join(iv, cipher.doFinal(plain));
            try (Codec codec = Dialect.find("spark-aes").codec().key(key).aad(aad).build()) {
                assertEquals("aes-" + 8 * key.length, codec.cipher());
                assertArrayEquals(plain, codec.decrypt(stored));
                byte[] ours = codec.encrypt(plain);
                cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"),
                        new GCMParameterSpec(128, ours, 0, 12));
                cipher.updateAAD(aad);
                assertArrayEquals(plain, cipher.doFinal(ours, 12, ours.length - 12));
            }
        }
    }
}
