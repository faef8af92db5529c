package org.cipherlane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.RC2ParameterSpec;
import javax.crypto.spec.RC5ParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The published vectors through the JCA. */
class VectorsTest {
    private static final CipherlaneProvider PROVIDER = new CipherlaneProvider();

    /** Keys of no bytes, which RC5 allows, have no SecretKeySpec. */
    private static boolean hasKey(Vector it) {
        return it.key().length > 0;
    }

    private static SecretKeySpec key(Vector it) {
        return new SecretKeySpec(it.key(), it.family().name());
    }

    private static String transformation(Vector it) {
        Family family = it.family();
        if (!family.isBlock()) {
            return it.operation().equals("keystream") ? family.name()
                    : it.operation().toUpperCase(Locale.ROOT);
        }
        String mode = it.operation().replace("-encrypt", "").toUpperCase(Locale.ROOT);
        return family.name() + "/" + mode + "/NoPadding";
    }

    private static AlgorithmParameterSpec parameters(Vector it) {
        String[] numbers = it.parameters().split(",", -1);
        if (!numbers[0].isEmpty()) {
            int bits = Integer.parseInt(numbers[0]);
            return it.iv().length == 0 ? new RC2ParameterSpec(bits)
                    : new RC2ParameterSpec(bits, it.iv());
        } else if (!numbers[1].isEmpty() || !numbers[2].isEmpty()) {
            int word = numbers[1].isEmpty() ? 32 : Integer.parseInt(numbers[1]);
            int rounds = numbers[2].isEmpty() ? 12 : Integer.parseInt(numbers[2]);
            return it.iv().length == 0 ? new RC5ParameterSpec(0, rounds, word)
                    : new RC5ParameterSpec(0, rounds, word, it.iv());
        }
        return new IvParameterSpec(it.iv());
    }

    @TestFactory
    Stream<DynamicTest> ciphers() {
        return Vector.all("cipher").stream().filter(VectorsTest::hasKey)
                .map(it -> DynamicTest.dynamicTest(it.id(), () -> cipher(it)));
    }

    private static void cipher(Vector it) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(transformation(it), PROVIDER);
        cipher.init(Cipher.ENCRYPT_MODE, key(it), parameters(it));
        assertArrayEquals(it.output(), cipher.doFinal(it.input()));
        // Again after the end, in pieces of 7 bytes.
        byte[] pieces = new byte[it.output().length];
        int written = 0;
        for (int place = 0; place < it.input().length; place += 7) {
            int length = Math.min(7, it.input().length - place);
            written += cipher.update(it.input(), place, length, pieces, written);
        }
        written += cipher.doFinal(pieces, written);
        assertEquals(pieces.length, written);
        assertArrayEquals(it.output(), pieces);
        cipher.init(Cipher.DECRYPT_MODE, key(it), parameters(it));
        byte[] inPlace = it.output().clone();
        cipher.doFinal(inPlace, 0, inPlace.length, inPlace, 0);
        assertArrayEquals(it.input(), inPlace);
    }

    @TestFactory
    Stream<DynamicTest> keystreams() {
        return Vector.all("keystream").stream()
                .map(it -> DynamicTest.dynamicTest(it.id() + "@" + it.offset(), () -> {
                    Cipher cipher = Cipher.getInstance(transformation(it), PROVIDER);
                    cipher.init(Cipher.ENCRYPT_MODE, key(it), new IvParameterSpec(it.iv()));
                    cipher.update(new byte[it.offset()]);
                    assertArrayEquals(it.output(), cipher.doFinal(new byte[it.output().length]));
                }));
    }

    @TestFactory
    Stream<DynamicTest> aeads() {
        // Encryption with integrity, as PDCP has them, has a tag and is no AEAD.
        return Vector.all("aead").stream().filter(it -> !it.operation().contains("+"))
                .map(it -> DynamicTest.dynamicTest(it.id(), () -> aead(it)));
    }

    private static void aead(Vector it) throws GeneralSecurityException {
        String name = it.family().name() + "/" + it.operation().toUpperCase(Locale.ROOT)
                + "/NoPadding";
        Cipher cipher = Cipher.getInstance(name, PROVIDER);
        byte[] sealed = Arrays.copyOf(it.output(), it.output().length + it.tag().length);
        System.arraycopy(it.tag(), 0, sealed, it.output().length, it.tag().length);
        GCMParameterSpec parameters = new GCMParameterSpec(8 * it.tag().length, it.iv());
        if (!it.valid()) {
            assertThrows(GeneralSecurityException.class, () -> {
                cipher.init(Cipher.DECRYPT_MODE, key(it), parameters);
                cipher.updateAAD(it.aad());
                cipher.doFinal(sealed);
            });
            return;
        }
        cipher.init(Cipher.ENCRYPT_MODE, key(it), parameters);
        cipher.updateAAD(it.aad());
        assertArrayEquals(sealed, cipher.doFinal(it.input()));
        cipher.init(Cipher.DECRYPT_MODE, key(it), parameters);
        cipher.updateAAD(it.aad());
        int half = sealed.length / 2;
        cipher.update(sealed, 0, half);
        assertArrayEquals(it.input(), cipher.doFinal(sealed, half, sealed.length - half));
        byte[] wrong = sealed.clone();
        wrong[wrong.length - 1] ^= 1;
        cipher.init(Cipher.DECRYPT_MODE, key(it), parameters);
        cipher.updateAAD(it.aad());
        byte[] output = new byte[sealed.length];
        assertThrows(AEADBadTagException.class,
                () -> cipher.doFinal(wrong, 0, wrong.length, output, 0));
        assertArrayEquals(new byte[sealed.length], output);
    }

    @TestFactory
    Stream<DynamicTest> macs() {
        // Messages of bits and lengths announced beforehand have no place in the JCA.
        return Vector.all("mac").stream()
                .filter(it -> it.bits().isEmpty() && it.valid() && !it.operation().contains("pad3"))
                .map(it -> DynamicTest.dynamicTest(it.id(), () -> mac(it)));
    }

    private static void mac(Vector it) throws GeneralSecurityException, CloneNotSupportedException {
        String operation = it.operation().toUpperCase(Locale.ROOT);
        String name = it.family().isBlock() ? it.family().name() + "-" + operation
                : it.operation().equals("eia3") ? "ZUC-128"
                : it.operation().startsWith("nia") ? operation
                : it.family().name() + "-" + operation.substring(3);
        boolean hasIv = it.iv().length > 0;
        IvParameterSpec iv = hasIv ? new IvParameterSpec(it.iv()) : null;
        Mac mac = Mac.getInstance(name, PROVIDER);
        mac.init(key(it), iv);
        int tag = it.tag().length;
        if (operation.equals("CBC-MAC-7") && tag < mac.getMacLength()) {
            return;
        }
        byte[] whole = mac.doFinal(it.input());
        assertArrayEquals(it.tag(), Arrays.copyOf(whole, tag));
        int half = it.input().length / 2;
        if (hasIv) {
            // Its IV has served a message.
            mac = Mac.getInstance(name, PROVIDER);
            mac.init(key(it), new MacParameterSpec(8 * tag, it.iv()));
            mac.update(it.input(), 0, half);
            mac.update(it.input(), half, it.input().length - half);
            assertArrayEquals(it.tag(), mac.doFinal());
            return;
        }
        mac.update(it.input(), 0, half);
        Mac copy = (Mac) mac.clone();
        for (Mac each : new Mac[] {mac, copy}) {
            each.update(it.input(), half, it.input().length - half);
            assertArrayEquals(whole, each.doFinal());
        }
    }

    @TestFactory
    Stream<DynamicTest> keysOfNoLength() {
        return Family.ALL.stream().filter(Family::isBlock).filter(it -> !it.anyKey())
                .map(it -> DynamicTest.dynamicTest(it.name(), () -> {
                    Cipher cipher = Cipher.getInstance(it.name() + "/ECB/NoPadding", PROVIDER);
                    SecretKeySpec key = new SecretKeySpec(new byte[17], it.name());
                    assertThrows(InvalidKeyException.class,
                            () -> cipher.init(Cipher.ENCRYPT_MODE, key));
                }));
    }
}
