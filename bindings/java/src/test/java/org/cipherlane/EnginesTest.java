package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidParameterException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The functions for Hive and Flink, called as these call them; the engines are not needed. */
class EnginesTest {
    private static final String DIGITS = "8f1c3a5577d9e2b4460ca1f39d2e7b58";
    private static final byte[] TEXT = "text".getBytes(StandardCharsets.UTF_8);
    private static final String STORED = "1Y4NGIukSbv9OrkZnRD1bQ==";
    private static final String OPTIONS = "mode=SM4_128_CBC;iv=0123456789;coding=base64";

    @TempDir
    private Path folder;
    private String key;
    private String doris;

    @BeforeEach
    void keys() throws Exception {
        key = "file:" + Files.writeString(folder.resolve("key"), DIGITS + "\n");
        doris = "file:" + Files.writeString(folder.resolve("doris"),
                "F3229A0B371ED2D9441B830D21A390C3\n");
    }

    /** What Bouncy Castle makes of a value with the IV in front. */
    private static byte[] theirs(byte[] sealed) throws Exception {
        Cipher cipher = Cipher.getInstance("SM4/GCM/NoPadding", new BouncyCastleProvider());
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(HexFormat.of().parseHex(DIGITS), "SM4"),
                new GCMParameterSpec(128, sealed, 0, 12));
        return cipher.doFinal(sealed, 12, sealed.length - 12);
    }

    @Test
    void hive() throws Exception {
        var encrypt = new org.cipherlane.hive.Sm4Encrypt();
        var decrypt = new org.cipherlane.hive.Sm4Decrypt();
        byte[] sealed = encrypt.evaluate("text", key);
        assertArrayEquals(TEXT, theirs(sealed));
        assertArrayEquals(TEXT, decrypt.evaluate(sealed, key));
        for (String mode : new String[] {"GCM", "cbc", "ECB"}) {
            assertArrayEquals(TEXT,
                    decrypt.evaluate(encrypt.evaluate(TEXT, key, mode), key, mode));
        }
        sealed[20] ^= 1;
        assertThrows(IllegalArgumentException.class, () -> decrypt.evaluate(sealed, key));
        assertNull(encrypt.evaluate((String) null, key));
        assertNull(decrypt.evaluate(null, key));
        var from = new org.cipherlane.hive.DialectDecrypt();
        var to = new org.cipherlane.hive.DialectEncrypt();
        assertArrayEquals(TEXT, from.evaluate("doris-sm4", STORED, doris, OPTIONS));
        assertEquals(STORED, new String(
                to.evaluate("doris-sm4", "text", doris, OPTIONS + ";weak=true"),
                StandardCharsets.US_ASCII));
        var error = assertThrows(IllegalArgumentException.class,
                () -> to.evaluate("doris-sm4", "text", doris));
        assertTrue(error.getMessage().contains("weak(true)"), error.getMessage());
        assertNull(from.evaluate("doris-sm4", (byte[]) null, doris));
    }

    @Test
    void flink() throws Exception {
        var encrypt = new org.cipherlane.flink.Sm4Encrypt();
        var decrypt = new org.cipherlane.flink.Sm4Decrypt();
        byte[] sealed = encrypt.eval("text", key);
        assertArrayEquals(TEXT, theirs(sealed));
        assertArrayEquals(TEXT, decrypt.eval(sealed, key));
        assertFalse(encrypt.isDeterministic());
        assertFalse(Arrays.equals(sealed, encrypt.eval("text", key)));
        var from = new org.cipherlane.flink.DialectDecrypt();
        var to = new org.cipherlane.flink.DialectEncrypt();
        assertArrayEquals(TEXT, from.eval("doris-sm4", STORED, doris, OPTIONS));
        assertEquals(STORED, new String(
                to.eval("doris-sm4", "text", doris, OPTIONS + ";weak=true"),
                StandardCharsets.US_ASCII));
        assertNull(from.eval("doris-sm4", (String) null, doris));
        assertThrows(IllegalArgumentException.class,
                () -> from.eval("doris-sm4", STORED.substring(1), doris, OPTIONS));
    }

    /** A key that changes is not taken for the one before. */
    @Test
    void manyKeysByTurns() throws Exception {
        var encrypt = new org.cipherlane.hive.Sm4Encrypt();
        var decrypt = new org.cipherlane.hive.Sm4Decrypt();
        String other = "file:" + Files.writeString(folder.resolve("other"), "00".repeat(16));
        for (int i = 0; i < 10; i++) {
            byte[] sealed = encrypt.evaluate(TEXT, key);
            byte[] second = encrypt.evaluate(TEXT, other);
            assertArrayEquals(TEXT, decrypt.evaluate(sealed, key));
            assertArrayEquals(TEXT, decrypt.evaluate(second, other));
            assertThrows(IllegalArgumentException.class, () -> decrypt.evaluate(second, key));
        }
    }

    /**
     * Hadoop's and Ranger's key servers ask for keys so: by what stands before the first stroke of
     * the suite, of whoever is first in the JCA's list or of the provider that is named, and for the
     * suite's lengths.
     */
    @Test
    void aKeyServerMakesKeys() throws Exception {
        var provider = new CipherlaneProvider();
        var sizes = Map.of("SM4/CTR/NoPadding", new int[] {128}, "AES/CTR/NoPadding",
                new int[] {128, 192, 256});
        java.security.Security.insertProviderAt(provider, 1);
        try {
            for (var suite : sizes.entrySet()) {
                String algorithm = suite.getKey().substring(0, suite.getKey().indexOf('/'));
                for (KeyGenerator generator : new KeyGenerator[] {
                    KeyGenerator.getInstance(algorithm),
                    KeyGenerator.getInstance(algorithm, provider.getName())}) {
                    assertEquals("Cipherlane", generator.getProvider().getName());
                    for (int bits : suite.getValue()) {
                        generator.init(bits);
                        var key = generator.generateKey();
                        assertEquals(algorithm, key.getAlgorithm());
                        assertEquals(bits, 8 * key.getEncoded().length);
                        assertFalse(Arrays.equals(key.getEncoded(),
                                generator.generateKey().getEncoded()));
                        works(suite.getKey(), key);
                    }
                    for (int bits : new int[] {0, 64, 100, 127, 1024}) {
                        assertThrows(InvalidParameterException.class, () -> generator.init(bits));
                    }
                }
            }
        } finally {
            java.security.Security.removeProvider(provider.getName());
        }
    }

    /** Last in the list, as Hadoop's page sets it up: SM4, which the JDK lacks, is ours, AES its. */
    @Test
    void lastInTheListItHasWhatTheJdkLacks() throws Exception {
        var provider = new CipherlaneProvider();
        java.security.Security.addProvider(provider);
        try {
            var sm4 = KeyGenerator.getInstance("SM4");
            assertEquals("Cipherlane", sm4.getProvider().getName());
            assertEquals(16, sm4.generateKey().getEncoded().length);
            assertNotEquals("Cipherlane", KeyGenerator.getInstance("AES").getProvider().getName());
        } finally {
            java.security.Security.removeProvider(provider.getName());
        }
    }

    /** Bouncy Castle reads what the suite makes under the key. */
    private static void works(String suite, SecretKey key) throws Exception {
        Cipher ours = Cipher.getInstance(suite, "Cipherlane");
        ours.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        Cipher theirs = Cipher.getInstance(suite, new BouncyCastleProvider());
        theirs.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        assertArrayEquals(TEXT, theirs.doFinal(ours.doFinal(TEXT)));
    }
}
