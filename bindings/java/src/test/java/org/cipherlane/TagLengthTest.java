package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The length of a tag belongs to the object: none of another length is taken. */
class TagLengthTest {
    private static final CipherlaneProvider PROVIDER = new CipherlaneProvider();

    /** {@code misuse-tags.json}: objects made for some length, and tags of others. */
    @TestFactory
    Stream<DynamicTest> misuse() {
        return VectorFile.read("misuse-tags.json").stream()
                .map(it -> DynamicTest.dynamicTest(it.text("id"), () -> {
                    String expected = it.text("expected");
                    String verdict = it.mode().contains("mac") ? mac(it) : aead(it);
                    assertEquals(expected, verdict, it.text("reason"));
                }));
    }

    /** The cipher and the mode of, e.g., {@code aes-256-gcm-siv}. */
    private static String[] names(VectorFile it) {
        String mode = it.mode().replaceFirst("^(sm4|aes-\\d+)-", "");
        return new String[] {it.mode().startsWith("sm4") ? "SM4" : "AES",
            mode.toUpperCase(Locale.ROOT)};
    }

    private static String aead(VectorFile it) throws GeneralSecurityException {
        String[] names = names(it);
        Cipher cipher = Cipher.getInstance(names[0] + "/" + names[1] + "/NoPadding", PROVIDER);
        var key = new SecretKeySpec(it.bytes("key"), names[0]);
        var parameters = new GCMParameterSpec(8 * it.number("object_tag_bytes"), it.bytes("iv"));
        try {
            cipher.init(Cipher.DECRYPT_MODE, key, parameters);
        } catch (InvalidAlgorithmParameterException noSuchObject) {
            assertTrue(noSuchObject.getMessage().contains("allowed: "), noSuchObject.getMessage());
            return "refused";
        }
        cipher.updateAAD(it.bytes("aad"));
        var sealed = new ByteArrayOutputStream();
        sealed.writeBytes(it.bytes("ciphertext"));
        sealed.writeBytes(it.bytes("tag"));
        try {
            cipher.doFinal(sealed.toByteArray());
            return "accepted";
        } catch (GeneralSecurityException refused) {
            return "refused";
        }
    }

    private static String mac(VectorFile it) throws GeneralSecurityException {
        String[] names = names(it);
        Mac mac = Mac.getInstance(names[0] + "-" + names[1], PROVIDER);
        var key = new SecretKeySpec(it.bytes("key"), names[0]);
        var parameters =
                new MacParameterSpec(8 * it.number("object_tag_bytes"), it.bytes("iv"));
        try {
            mac.init(key, parameters);
        } catch (InvalidAlgorithmParameterException noSuchObject) {
            assertTrue(noSuchObject.getMessage().contains("allowed: "), noSuchObject.getMessage());
            return "refused";
        }
        assertEquals(it.number("object_tag_bytes"), mac.getMacLength());
        byte[] tag = mac.doFinal(it.bytes("message"));
        return MessageDigest.isEqual(tag, it.bytes("tag")) ? "accepted" : "refused";
    }

    @Test
    void everyAllowedLengthIsTold() throws GeneralSecurityException {
        var key = new SecretKeySpec(new byte[16], "SM4");
        String[][] told = {{"SM4/GCM/NoPadding", "4, 8, 12 to 16"},
            {"SM4/CCM/NoPadding", "4 to 16 in steps of 2"}, {"SM4/GCM-SIV/NoPadding", "16"}};
        for (String[] each : told) {
            Cipher cipher = Cipher.getInstance(each[0], PROVIDER);
            var error = assertThrows(InvalidAlgorithmParameterException.class,
                    () -> cipher.init(Cipher.ENCRYPT_MODE, key,
                            new GCMParameterSpec(40, new byte[12])));
            assertTrue(error.getMessage().contains(each[1]), error.getMessage());
        }
        var error = assertThrows(InvalidAlgorithmParameterException.class,
                () -> Mac.getInstance("SM4-GMAC", PROVIDER).init(key,
                        new GCMParameterSpec(40, new byte[12])));
        assertTrue(error.getMessage().contains("4, 8, 12 to 16"), error.getMessage());
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> Mac.getInstance("SM4-CMAC", PROVIDER).init(key, new MacParameterSpec(65)));
    }

    @Test
    void anotherLengthIsAnotherObject() throws GeneralSecurityException {
        var key = new SecretKeySpec(new byte[16], "SM4");
        Cipher gcm = Cipher.getInstance("SM4/GCM/NoPadding", PROVIDER);
        for (int bits : new int[] {128, 96, 32, 128}) {
            byte[] nonce = new byte[12];
            nonce[0] = (byte) bits;
            nonce[1] = (byte) System.nanoTime();
            gcm.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(bits, nonce));
            byte[] sealed = gcm.doFinal(new byte[20]);
            assertEquals(20 + bits / 8, sealed.length);
            gcm.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(bits, nonce));
            assertEquals(20, gcm.doFinal(sealed).length);
            gcm.init(Cipher.ENCRYPT_MODE, key);
        }
        // As a length that is not said is the full one.
        assertEquals(36, gcm.doFinal(new byte[20]).length);
        Mac cmac = Mac.getInstance("SM4-CMAC", PROVIDER);
        cmac.init(key, new MacParameterSpec(64));
        assertEquals(8, cmac.doFinal(new byte[3]).length);
        assertEquals(8, cmac.doFinal(new byte[3]).length);
        cmac.init(key);
        assertEquals(16, cmac.doFinal(new byte[3]).length);
    }
}
