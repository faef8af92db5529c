package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.cipherlane.internal.SqlFunctions;
import org.cipherlane.spark.Sm4Decrypt;
import org.cipherlane.spark.Sm4Encrypt;
import org.cipherlane.spark.TrySm4Decrypt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The functions for Spark, value by value beside Bouncy Castle; Spark itself is not needed. */
class SparkTest {
    private static final Provider THEIRS = new BouncyCastleProvider();
    private static final String DIGITS = "8f1c3a5577d9e2b4460ca1f39d2e7b58";
    private static final byte[] KEY = java.util.HexFormat.of().parseHex(DIGITS);

    @TempDir
    private Path folder;

    private String reference() throws Exception {
        return "file:" + Files.writeString(folder.resolve("key"), DIGITS + "\n");
    }

    private static byte[] theirs(int direction, String mode, int iv, byte[] front, byte[] data)
            throws GeneralSecurityException {
        String padding = mode.equals("GCM") ? "NoPadding" : "PKCS5Padding";
        Cipher cipher = Cipher.getInstance("SM4/" + mode + "/" + padding, THEIRS);
        AlgorithmParameterSpec parameters = null;
        if (iv > 0) {
            parameters = mode.equals("GCM")
                    ? new GCMParameterSpec(128, front, 0, iv)
                    : new IvParameterSpec(front, 0, iv);
        }
        cipher.init(direction, new SecretKeySpec(KEY, "SM4"), parameters);
        return cipher.doFinal(data);
    }

    @ParameterizedTest
    @CsvSource({"GCM, 12", "CBC, 16", "ECB, 0"})
    void everyLengthBothWays(String mode, int iv) throws Exception {
        String key = reference();
        var encrypt = new Sm4Encrypt(mode);
        var random = new Random(1);
        for (int length = 0; length <= 100; length++) {
            byte[] value = new byte[length];
            random.nextBytes(value);
            byte[] sealed = encrypt.call(value, key);
            byte[] rest = Arrays.copyOfRange(sealed, iv, sealed.length);
            assertArrayEquals(value, theirs(Cipher.DECRYPT_MODE, mode, iv, sealed, rest));
            byte[] front = new byte[iv];
            random.nextBytes(front);
            byte[] made = theirs(Cipher.ENCRYPT_MODE, mode, iv, front, value);
            byte[] whole = Arrays.copyOf(front, iv + made.length);
            System.arraycopy(made, 0, whole, iv, made.length);
            assertArrayEquals(value, new Sm4Decrypt(mode).call(whole, key));
            assertArrayEquals(value, new TrySm4Decrypt(mode).call(sealed, key));
        }
        assertNull(encrypt.call(null, key));
        assertNull(new Sm4Decrypt(mode).call(null, key));
    }

    @Test
    void whatWasChangedDoesNotOpen() throws Exception {
        String key = reference();
        byte[] sealed = new Sm4Encrypt().call(new byte[40], key);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertThrows(GeneralSecurityException.class, () -> new Sm4Decrypt().call(changed, key));
            assertNull(new TrySm4Decrypt().call(changed, key));
        }
        for (int length : new int[] {0, 5, 12, 27}) {
            assertNull(new TrySm4Decrypt().call(Arrays.copyOf(sealed, length), key));
        }
    }

    @Test
    void everyValueHasAnIvOfItsOwn() throws Exception {
        String key = reference();
        var seen = new java.util.HashSet<String>();
        for (int i = 0; i < 1000; i++) {
            byte[] sealed = new Sm4Encrypt().call(new byte[1], key);
            seen.add(Arrays.toString(Arrays.copyOf(sealed, 12)));
        }
        org.junit.jupiter.api.Assertions.assertEquals(1000, seen.size());
    }

    @Test
    void aKeyIsNoArgument() {
        for (String wrong : new String[] {DIGITS, "", "env:CIPHERLANE_NO_SUCH", "http:x"}) {
            var error = assertThrows(IllegalArgumentException.class,
                    () -> new Sm4Encrypt().call(new byte[1], wrong));
            assertFalse(error.getMessage().contains(DIGITS));
        }
        assertThrows(IllegalArgumentException.class, () -> new Sm4Encrypt("CTR"));
    }

    @Test
    void aPlaceWithoutAKeyIsNoKeyOfZeros() throws Exception {
        byte[] dialect = SqlFunctions.bytes("mysql-aes");
        byte[] options = SqlFunctions.bytes("weak=true");
        for (String text : new String[] {"", "\n", "\r\n\n"}) {
            String key = "file:" + Files.writeString(folder.resolve("empty"), text);
            var error = assertThrows(IllegalArgumentException.class, () -> SqlFunctions
                    .dialect_encrypt(dialect, new byte[5], SqlFunctions.bytes(key), options));
            assertTrue(error.getMessage().contains("holds no key"), error.getMessage());
        }
        var error = assertThrows(IllegalArgumentException.class, () -> SqlFunctions
                .dialect_encrypt(dialect, new byte[5], SqlFunctions.bytes("file:/dev/zero"),
                        options));
        assertTrue(error.getMessage().contains("holds more than"), error.getMessage());
    }

    @Test
    void anArrayThatIsFilledAnewIsAnotherKey() throws Exception {
        byte[] first = SqlFunctions
                .bytes("file:" + Files.writeString(folder.resolve("key1"), DIGITS));
        byte[] second = SqlFunctions.bytes("file:" + Files.writeString(folder.resolve("key2"),
                "00000000000000000000000000000001"));
        byte[] ecb = SqlFunctions.bytes("ECB");
        byte[] padding = SqlFunctions.bytes("DEFAULT");
        byte[] nothing = {};
        byte[] expected = SqlFunctions.sm4_encrypt(KEY, second, ecb, padding, nothing, nothing);
        byte[] reference = first.clone();
        SqlFunctions.sm4_encrypt(KEY, reference, ecb, padding, nothing, nothing);
        System.arraycopy(second, 0, reference, 0, second.length);
        assertArrayEquals(expected,
                SqlFunctions.sm4_encrypt(KEY, reference, ecb, padding, nothing, nothing));
    }

    @Test
    void sparkShipsThem() throws Exception {
        var bytes = new java.io.ByteArrayOutputStream();
        try (var out = new java.io.ObjectOutputStream(bytes)) {
            out.writeObject(new Sm4Encrypt("CBC"));
        }
        try (var in = new java.io.ObjectInputStream(
                new java.io.ByteArrayInputStream(bytes.toByteArray()))) {
            var back = (Sm4Encrypt) in.readObject();
            byte[] sealed = back.call(new byte[20], reference());
            assertArrayEquals(new byte[20], new Sm4Decrypt("CBC").call(sealed, reference()));
        }
    }
}
