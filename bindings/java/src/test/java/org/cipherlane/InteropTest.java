package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same transformations of Bouncy Castle, under the same names, on random messages. */
class InteropTest {
    private static final Provider OURS = new CipherlaneProvider();
    private static final Provider THEIRS = new BouncyCastleProvider();
    private static final int[] LENGTHS = {0, 1, 15, 16, 17, 31, 255, 1024, 1025, 5000, 70000};

    private static byte[] cipher(Provider provider, int mode, String name, byte[] key,
            AlgorithmParameterSpec parameters, byte[] aad, byte[] data)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(name, provider);
        cipher.init(mode, new SecretKeySpec(key, name.split("/")[0]), parameters);
        if (aad != null) {
            cipher.updateAAD(aad);
        }
        return cipher.doFinal(data);
    }

    private static void same(String name, int key, AlgorithmParameterSpec parameters, byte[] aad,
            Random random, int length) throws GeneralSecurityException {
        byte[] keys = bytes(random, key);
        byte[] data = bytes(random, length);
        byte[] ours = cipher(OURS, Cipher.ENCRYPT_MODE, name, keys, parameters, aad, data);
        byte[] theirs = cipher(THEIRS, Cipher.ENCRYPT_MODE, name, keys, parameters, aad, data);
        assertArrayEquals(theirs, ours, name + " of " + length);
        assertArrayEquals(data,
                cipher(OURS, Cipher.DECRYPT_MODE, name, keys, parameters, aad, theirs));
        assertArrayEquals(data,
                cipher(THEIRS, Cipher.DECRYPT_MODE, name, keys, parameters, aad, ours));
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM4/CBC/PKCS5Padding", "SM4/CBC/PKCS7Padding", "SM4/CTR/NoPadding",
        "SM4/CFB/NoPadding", "SM4/OFB/NoPadding", "AES/CBC/PKCS5Padding", "AES/CTR/NoPadding",
        "AES/CFB8/NoPadding", "SM4/CBC/ISO7816-4Padding"})
    void modesWithAnIv(String name) throws GeneralSecurityException {
        var random = new Random(1);
        for (int length : LENGTHS) {
            same(name, 16, new IvParameterSpec(bytes(random, 16)), null, random, length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM4/ECB/PKCS5Padding", "AES/ECB/PKCS7Padding", "SM4", "AES"})
    void modesWithoutAnIv(String name) throws GeneralSecurityException {
        var random = new Random(2);
        for (int length : LENGTHS) {
            same(name, 16, null, null, random, length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM4/GCM/NoPadding", "SM4/CCM/NoPadding", "AES/GCM/NoPadding",
        "AES/CCM/NoPadding"})
    void aeads(String name) throws GeneralSecurityException {
        var random = new Random(3);
        for (int length : LENGTHS) {
            if (name.contains("CCM") && length > 65535) {
                continue;
            }
            var parameters = new GCMParameterSpec(128, bytes(random, 12));
            same(name, 16, parameters, bytes(random, length % 97), random, length);
        }
    }

    @Test
    void streams() throws GeneralSecurityException {
        var random = new Random(4);
        for (int length : new int[] {0, 1, 100, 2000}) {
            same("ZUC-128", 16, new IvParameterSpec(bytes(random, 16)), null, random, length);
            same("HC128", 16, new IvParameterSpec(bytes(random, 16)), null, random, length);
            same("Salsa20", 32, new IvParameterSpec(bytes(random, 8)), null, random, length);
            same("Grainv1", 10, new IvParameterSpec(bytes(random, 8)), null, random, length);
            same("ARC4", 16, null, null, random, length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SM4-CMAC", "SM4-GMAC", "ZUC-128", "ZUC-256-32", "ZUC-256-64",
        "ZUC-256-128", "ZUC-256", "AESCMAC"})
    void macs(String name) throws GeneralSecurityException {
        var random = new Random(5);
        for (int length : new int[] {0, 1, 16, 100, 2000}) {
            boolean wide = name.startsWith("ZUC-256");
            byte[] iv = bytes(random, name.endsWith("GMAC") ? 12 : wide ? 25 : 16);
            for (int i = 17; wide && i < 25; i++) {
                iv[i] &= 0x3f;
            }
            var key = new SecretKeySpec(bytes(random, wide ? 32 : 16), "any");
            byte[] data = bytes(random, length);
            byte[][] tags = new byte[2][];
            for (int i = 0; i < 2; i++) {
                Mac mac = Mac.getInstance(name, i == 0 ? OURS : THEIRS);
                mac.init(key, name.contains("CMAC") ? null : new IvParameterSpec(iv));
                tags[i] = mac.doFinal(data);
            }
            assertArrayEquals(tags[1], tags[0], name + " of " + length);
        }
    }

    @Test
    void directBuffers() throws GeneralSecurityException {
        var random = new Random(6);
        byte[] key = bytes(random, 16);
        byte[] data = bytes(random, 10_000);
        for (String name : new String[] {"SM4/GCM/NoPadding", "SM4/CTR/NoPadding"}) {
            AlgorithmParameterSpec parameters = name.contains("GCM")
                    ? new GCMParameterSpec(128, bytes(random, 12))
                    : new IvParameterSpec(bytes(random, 16));
            ByteBuffer input = ByteBuffer.allocateDirect(data.length).put(data).flip();
            ByteBuffer output = ByteBuffer.allocateDirect(data.length + 16);
            Cipher cipher = Cipher.getInstance(name, OURS);
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "SM4"), parameters);
            cipher.doFinal(input, output);
            byte[] got = new byte[output.flip().remaining()];
            output.get(got);
            assertArrayEquals(
                    cipher(THEIRS, Cipher.ENCRYPT_MODE, name, key, parameters, null, data), got);
        }
    }
}
