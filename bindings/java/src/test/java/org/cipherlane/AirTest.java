package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.cipherlane.Air3gppParameterSpec.Direction;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** 3GPP's algorithms from COUNT, BEARER and DIRECTION. */
class AirTest {
    private static final CipherlaneProvider PROVIDER = new CipherlaneProvider();
    private static final SecretKeySpec WIDE = new SecretKeySpec(new byte[32], "ZUC-256");

    private static long count(VectorFile it) {
        return Long.parseLong(it.text("count"), 16);
    }

    private static Direction direction(VectorFile it) {
        return Direction.values()[it.number("direction")];
    }

    @TestFactory
    Stream<DynamicTest> eea3() {
        return VectorFile.read("eea3.json").stream()
                .map(it -> DynamicTest.dynamicTest(it.text("id"), () -> {
                    Cipher cipher = Cipher.getInstance("EEA3", PROVIDER);
                    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(it.bytes("key"), "EEA3"),
                            Air3gppParameterSpec.eea3(count(it), it.number("bearer"),
                                    direction(it)));
                    byte[] packet = cipher.doFinal(it.bytes("plaintext"));
                    // The bits behind the last one are not the packet's.
                    packet[packet.length - 1] &= (byte) (0xff << (-it.number("bits") & 7));
                    assertArrayEquals(it.bytes("ciphertext"), packet);
                }));
    }

    @TestFactory
    Stream<DynamicTest> eia3() {
        // The JCA has no messages of bits.
        return VectorFile.read("eia3.json").stream()
                .filter(it -> it.text("count") != null && it.number("bits") % 8 == 0)
                .map(it -> DynamicTest.dynamicTest(it.text("id"), () -> {
                    var packet = Air3gppParameterSpec.eia3(count(it), it.number("bearer"),
                            direction(it));
                    var key = new SecretKeySpec(it.bytes("key"), "EIA3");
                    Mac mac = Mac.getInstance("EIA3", PROVIDER);
                    mac.init(key, packet);
                    assertArrayEquals(it.bytes("tag"), mac.doFinal(it.bytes("message")));
                    // To others it is a plain IV.
                    Mac theirs = Mac.getInstance("ZUC-128", new BouncyCastleProvider());
                    theirs.init(key, packet);
                    assertArrayEquals(it.bytes("tag"), theirs.doFinal(it.bytes("message")));
                }));
    }

    @TestFactory
    Stream<DynamicTest> nea1AndNia1() {
        return VectorFile.read("snow3g.json").stream()
                .filter(it -> it.mode().startsWith("128-n") && it.number("bits") % 8 == 0)
                .map(it -> DynamicTest.dynamicTest(it.text("id"), () -> {
                    if (it.mode().equals("128-nea1")) {
                        Cipher cipher = Cipher.getInstance("NEA1", PROVIDER);
                        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(it.bytes("key"), "NEA1"),
                                Air3gppParameterSpec.nea1(count(it), it.number("bearer"),
                                        direction(it)));
                        assertArrayEquals(it.bytes("ciphertext"),
                                cipher.doFinal(it.bytes("plaintext")));
                    } else {
                        Mac mac = Mac.getInstance("NIA1", PROVIDER);
                        mac.init(new SecretKeySpec(it.bytes("key"), "NIA1"),
                                Air3gppParameterSpec.nia1(count(it), it.number("bearer"),
                                        direction(it)));
                        // Some are of a changed COUNT, BEARER, DIRECTION or message.
                        assertEquals(!"invalid".equals(it.text("result")),
                                Arrays.equals(it.bytes("tag"), mac.doFinal(it.bytes("message"))));
                    }
                }));
    }

    /** TS 33.401 annex C: all of 128-EEA2 set 1 but its last byte, and 128-EIA2 set 2. */
    @Test
    void nea2AndNia2() throws GeneralSecurityException {
        HexFormat hex = HexFormat.of();
        var key = new SecretKeySpec(hex.parseHex("d3c5d592327fb11c4035c6680af8c6d1"), "AES");
        Cipher cipher = Cipher.getInstance("AES/NEA2/NoPadding", PROVIDER);
        cipher.init(Cipher.ENCRYPT_MODE, key,
                Air3gppParameterSpec.nea2(0x398a59b4L, 0x15, Direction.DOWNLINK));
        assertEquals("e9fed8a63d155304d71df20bf3e82214b20ed7dad2f233dc3c22d7bdeeed8e",
                hex.formatHex(cipher.doFinal(hex.parseHex(
                        "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1"))));
        Mac mac = Mac.getInstance("AES-NIA2", PROVIDER);
        mac.init(key, Air3gppParameterSpec.nia2(0x398a59b4L, 0x1a, Direction.DOWNLINK));
        assertEquals("b93787e6", hex.formatHex(mac.doFinal(hex.parseHex("484583d5afe082ae"))));
    }

    /** Each family seals, and the sum of its parts is of the right length. */
    @Test
    void everyFamilyOf256BitsTakesItsIvs() throws GeneralSecurityException {
        String[][] names = {
            {"NEA4", "NIA4", "SNOW-5G/NCA4/NoPadding"},
            {"AES/NEA5/NoPadding", "AES-NIA5", "AES/NCA5/NoPadding"},
            {"NEA6", "NIA6", "ZUC-256-2023/NCA6/NoPadding"},
        };
        for (int family = 4; family <= 6; family++) {
            String[] of = names[family - 4];
            Cipher cipher = Cipher.getInstance(of[0], PROVIDER);
            cipher.init(Cipher.ENCRYPT_MODE, WIDE,
                    Air3gppParameterSpec.assumedNea(family, 7, 3, Direction.UPLINK));
            assertEquals(5, cipher.doFinal(new byte[5]).length);
            Mac mac = Mac.getInstance(of[1], PROVIDER);
            mac.init(WIDE, Air3gppParameterSpec.assumedNia(family, 7, 3, Direction.UPLINK, 8));
            assertEquals(8, mac.doFinal(new byte[5]).length);
            Cipher aead = Cipher.getInstance(of[2], PROVIDER);
            aead.init(Cipher.ENCRYPT_MODE, WIDE,
                    Air3gppParameterSpec.assumedNca(family, 7, 3, Direction.UPLINK, 16));
            assertEquals(21, aead.doFinal(new byte[5]).length);
        }
        var wrong = assertThrows(IllegalArgumentException.class,
                () -> Air3gppParameterSpec.assumedNea(7, 0, 0, Direction.UPLINK));
        assertEquals("family 7; allowed: 4 to 6", wrong.getMessage());
    }

    @Test
    void ivsOfTheAlgorithmsOf256Bits() throws GeneralSecurityException {
        var nea6 = Air3gppParameterSpec.assumedNea6(0x66035492L, 15, Direction.DOWNLINK);
        var nia6 = Air3gppParameterSpec.assumedNia6(0x66035492L, 15, Direction.UPLINK, 4);
        var nca6 = Air3gppParameterSpec.assumedNca6(0x66035492L, 15, Direction.UPLINK, 16);
        HexFormat hex = HexFormat.of();
        assertEquals("001f6603549200000000000000000000", hex.formatHex(nea6.getIV()));
        assertEquals("201e6603549200000000000000000000", hex.formatHex(nia6.getIV()));
        assertEquals("841e6603549200000000000000000000", hex.formatHex(nca6.getIV()));
        Cipher cipher = Cipher.getInstance("NEA6", PROVIDER);
        cipher.init(Cipher.ENCRYPT_MODE, WIDE, nea6);
        assertEquals(5, cipher.doFinal(new byte[5]).length);
        Mac mac = Mac.getInstance("NIA6", PROVIDER);
        mac.init(WIDE, nia6);
        assertEquals(4, mac.doFinal(new byte[5]).length);
        Cipher aead = Cipher.getInstance("ZUC-256-2023/NCA6/NoPadding", PROVIDER);
        aead.init(Cipher.ENCRYPT_MODE, WIDE, nca6);
        assertEquals(21, aead.doFinal(new byte[5]).length);
    }

    @Test
    void theIvOfAnotherAlgorithmIsRefused() throws GeneralSecurityException {
        var eea3 = Air3gppParameterSpec.eea3(1, 2, Direction.UPLINK);
        var nia6 = Air3gppParameterSpec.assumedNia6(1, 2, Direction.UPLINK, 8);
        var key = new SecretKeySpec(new byte[16], "EIA3");
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> Mac.getInstance("EIA3", PROVIDER).init(key, eea3));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> Cipher.getInstance("NEA6", PROVIDER).init(Cipher.ENCRYPT_MODE, WIDE, nia6));
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> Cipher.getInstance("SM4/CTR/NoPadding", PROVIDER)
                        .init(Cipher.ENCRYPT_MODE, key, eea3));
        // But ZUC-128 under this IV is what EEA3 is.
        Cipher zuc = Cipher.getInstance("ZUC-128", PROVIDER);
        zuc.init(Cipher.ENCRYPT_MODE, key, eea3);
        Cipher same = Cipher.getInstance("EEA3", PROVIDER);
        same.init(Cipher.ENCRYPT_MODE, key, eea3);
        assertArrayEquals(same.doFinal(new byte[9]), zuc.doFinal(new byte[9]));
    }

    @Test
    void valuesOutOfRangeAreNamed() {
        var bearer = assertThrows(IllegalArgumentException.class,
                () -> Air3gppParameterSpec.eea3(0, 32, Direction.UPLINK));
        assertEquals("BEARER 32; allowed: 0 to 31", bearer.getMessage());
        assertThrows(IllegalArgumentException.class,
                () -> Air3gppParameterSpec.eia3(1L << 32, 0, Direction.UPLINK));
        assertThrows(IllegalArgumentException.class,
                () -> Air3gppParameterSpec.eia3(-1, 0, Direction.UPLINK));
        assertThrows(IllegalArgumentException.class,
                () -> Air3gppParameterSpec.assumedNia6(0, 0, Direction.UPLINK, 3));
    }

    /** Its tag covers neither the first IV nor the boundary of the associated data. */
    @Test
    void eea3WithEia3IsNoCipher() {
        for (String name : new String[] {"ZUC-128/EEA3+EIA3/NoPadding", "EEA3+EIA3"}) {
            assertThrows(NoSuchAlgorithmException.class, () -> Cipher.getInstance(name, PROVIDER));
        }
    }
}
