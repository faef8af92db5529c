package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A new key takes the place of the old one: the object says what a fresh one says. */
class NewKeyTest {
    private static final CipherlaneProvider PROVIDER = new CipherlaneProvider();

    private static byte[] bytes(Random random, int length) {
        byte[] made = new byte[length];
        random.nextBytes(made);
        return made;
    }

    private static byte[] sealed(Cipher cipher, Key key, AlgorithmParameterSpec parameters,
            byte[] text) throws GeneralSecurityException {
        cipher.init(Cipher.ENCRYPT_MODE, key, parameters);
        byte[] aad = "the header".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        if (parameters instanceof GCMParameterSpec) {
            cipher.updateAAD(aad);
        }
        return cipher.doFinal(text);
    }

    @ParameterizedTest
    @CsvSource({"AES/GCM/NoPadding,AES,12,16 24 32", "SM4/GCM/NoPadding,SM4,12,16",
        "AES/CCM/NoPadding,AES,13,16 24 32", "SM4/CCM/NoPadding,SM4,7,16",
        "AES/CTR/NoPadding,AES,16,16 24 32", "AES/CBC/PKCS5Padding,AES,16,16 24 32",
        "SM4/CBC/PKCS5Padding,SM4,16,16", "SM4/CTR/NoPadding,SM4,16,16"})
    void asAFreshCipher(String name, String algorithm, int iv, String lengths)
            throws GeneralSecurityException {
        var random = new Random(20261125);
        List<Integer> keys = new ArrayList<>();
        for (String length : lengths.split(" ")) {
            keys.add(Integer.valueOf(length));
        }
        boolean tagged = name.contains("GCM") || name.contains("CCM");
        Cipher one = Cipher.getInstance(name, PROVIDER);
        for (int round = 0; round < 300; round++) {
            var key = new SecretKeySpec(
                    bytes(random, keys.get(random.nextInt(keys.size()))), algorithm);
            byte[] vector = bytes(random, iv);
            int tag = random.nextInt(4) == 0 ? 96 : 128;
            AlgorithmParameterSpec parameters = tagged
                    ? new GCMParameterSpec(tag, vector) : new IvParameterSpec(vector);
            byte[] text = bytes(random, random.nextInt(300));
            byte[] expected =
                    sealed(Cipher.getInstance(name, PROVIDER), key, parameters, text);
            assertArrayEquals(expected, sealed(one, key, parameters, text), name + " " + round);
            one.init(Cipher.DECRYPT_MODE, key, parameters);
            if (parameters instanceof GCMParameterSpec) {
                one.updateAAD("the header".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
            assertArrayEquals(text, one.doFinal(expected), name + " " + round);
        }
    }

    @ParameterizedTest
    @CsvSource({"AES-CMAC,0", "SM4-CMAC,0", "SM4-GMAC,12", "ZUC-128,16"})
    void asAFreshMac(String name, int iv) throws GeneralSecurityException {
        var random = new Random(20261125);
        Mac one = Mac.getInstance(name, PROVIDER);
        for (int round = 0; round < 300; round++) {
            var key = new SecretKeySpec(bytes(random, 16), "any");
            var vector = iv == 0 ? null : new IvParameterSpec(bytes(random, iv));
            byte[] text = bytes(random, random.nextInt(300));
            Mac fresh = Mac.getInstance(name, PROVIDER);
            fresh.init(key, vector);
            one.init(key, vector);
            assertArrayEquals(fresh.doFinal(text), one.doFinal(text), name + " " + round);
        }
    }

    /** The object of before is in use again, under the key that is given next. */
    @Test
    void afterARefusedKey() throws GeneralSecurityException {
        byte[] text = new byte[40];
        for (String name : new String[] {"AES/CTR/NoPadding", "SM4/GCM/NoPadding"}) {
            boolean tagged = name.contains("GCM");
            var random = new Random(7);
            Cipher one = Cipher.getInstance(name, PROVIDER);
            for (int round = 0; round < 20; round++) {
                var key = new SecretKeySpec(bytes(random, 16), "any");
                byte[] vector = bytes(random, tagged ? 12 : 16);
                AlgorithmParameterSpec good = tagged
                        ? new GCMParameterSpec(128, vector) : new IvParameterSpec(vector);
                AlgorithmParameterSpec bad = tagged
                        ? new GCMParameterSpec(8 * (round % 4), vector)
                        : new IvParameterSpec(new byte[round % 16]);
                byte[] expected = sealed(Cipher.getInstance(name, PROVIDER), key, good, text);
                assertThrows(InvalidKeyException.class, () -> one.init(Cipher.ENCRYPT_MODE,
                        new SecretKeySpec(new byte[17], "any"), good));
                assertThrows(InvalidAlgorithmParameterException.class, () -> one.init(
                        Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes(random, 16), "any"), bad));
                assertArrayEquals(expected, sealed(one, key, good, text), name);
            }
        }
    }
}
