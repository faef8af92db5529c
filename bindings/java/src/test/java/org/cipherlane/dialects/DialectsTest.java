package org.cipherlane.dialects;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cipherlane.dialects.DialectException.Kind;
import org.junit.jupiter.api.Test;

/** What there is, what is refused, columns, and codecs that many threads use. */
class DialectsTest {
    private static final String KEY = "F3229A0B371ED2D9441B830D21A390C3";

    private static Codec.Builder doris() throws DialectException {
        return Dialect.find("doris-sm4").codec().keyText(KEY);
    }

    private static DialectException refused(Callable<?> call) {
        return assertThrows(DialectException.class, call::call);
    }

    @Test
    void theExampleOfTheClass() throws Exception {
        try (Codec codec = doris().mode("SM4_128_CBC").ivText("0123456789")
                .coding(Coding.BASE64).build()) {
            assertEquals("text", codec.decrypt("1Y4NGIukSbv9OrkZnRD1bQ=="));
            assertEquals("SM4_128_CBC", codec.mode());
            assertEquals("sm4", codec.cipher());
            assertFalse(codec.authenticates());
        }
    }

    @Test
    void everyDialectIsDescribed() throws Exception {
        assertTrue(Dialect.all().size() >= 14);
        for (Dialect it : Dialect.all()) {
            assertEquals(it, Dialect.find(it.name().toUpperCase(java.util.Locale.ROOT)));
            assertFalse(it.modes().isEmpty() || it.codings().isEmpty() || it.keyForms().isEmpty()
                    || it.ciphers().isEmpty() || it.engine().isEmpty() || it.key().isEmpty()
                    || it.iv().isEmpty(), it.toString());
        }
        assertTrue(Dialect.find("opengauss-sm4").flaws().stream()
                .anyMatch(flaw -> flaw.name().equals("no-integrity")));
        assertFalse(Dialect.find("kingbase-sm4").published());
    }

    @Test
    void whatIsWrongIsNamed() throws Exception {
        DialectException error = refused(() -> Dialect.find("doris"));
        assertEquals(Kind.DIALECT, error.kind());
        assertEquals("did you mean doris-sm4?", error.remedy());
        error = refused(() -> doris().mode("SM4_128_XTS").build());
        assertEquals(Kind.MODE, error.kind());
        assertTrue(error.givesNull() && error.getMessage().contains("SM4_128_CFB128"));
        error = refused(() -> Dialect.find("yashandb-sm4").codec().keyText("12").build());
        assertEquals(Kind.LENGTH, error.kind());
        assertEquals("key", error.field());
        error = refused(() -> doris().aad(new byte[1]).build());
        assertEquals("associated data", error.field());
        error = refused(() -> Dialect.find("yashandb-sm4").codec()
                .keyText("12345678901234567890123456789012").ivText("zz").build());
        assertEquals("IV", error.field());
        error = refused(() -> Dialect.find("shardingsphere-digest").codec().keyText("a")
                .hash("crc").build());
        assertEquals("digest", error.field());
        error = refused(() -> Dialect.find("yashandb-sm4").codec()
                .keyText("12345678901234567890123456789012")
                .ivText("12345678901234567890123456789012").coding(Coding.BASE64).build());
        assertEquals("coding", error.field());
        // What a caller names comes back as it is, whatever its characters.
        error = refused(() -> Dialect.find("a\u0001b\u0000\ud83d\ude00\u00fc"));
        assertTrue(error.getMessage().contains("\u00fc"), error.getMessage());
    }

    @Test
    void aFlawedDialectIsWrittenWithLeaveOnly() throws Exception {
        try (Codec codec = doris().build()) {
            DialectException error = refused(() -> codec.encrypt(new byte[1]));
            assertEquals(Kind.WEAK, error.kind());
            assertTrue(error.getMessage().contains("ECB"), error.getMessage());
            assertEquals(Kind.WEAK, refused(() -> codec.encrypt("a")).kind());
            assertEquals(Kind.WEAK, refused(() -> codec.encrypt(Values.of())).kind());
        }
        try (Codec codec = Dialect.find("spark-aes").codec().key(new byte[16]).build()) {
            assertTrue(codec.flaws().isEmpty() && codec.authenticates());
            assertArrayEquals(new byte[3], codec.decrypt(codec.encrypt(new byte[3])));
        }
    }

    @Test
    void optionsAreSettings() throws Exception {
        try (Codec codec = doris().options("mode=SM4_128_CBC; iv=0123456789;coding=base64;weak=true")
                .build()) {
            assertEquals("1Y4NGIukSbv9OrkZnRD1bQ==", codec.encrypt("text"));
        }
        try (Codec codec = doris().options("mode=SM4_128_CBC;iv-hex=30313233343536373839;")
                .coding(Coding.BASE64).build()) {
            assertEquals("text", codec.decrypt("1Y4NGIukSbv9OrkZnRD1bQ=="));
        }
        for (String wrong : new String[] {"secret", "secret=1", "coding=secret", "weak=secret",
            "iv-hex=secret", "key-form=secret", "=secret"}) {
            DialectException error = refused(() -> doris().options(wrong));
            assertEquals("options", error.field());
            assertFalse(error.getMessage().contains("secret"), error.getMessage());
        }
    }

    @Test
    void bytesThatAreNoText() throws Exception {
        try (Codec codec = doris().weak(true).build()) {
            assertEquals(Kind.SETTING, refused(() -> codec.encrypt("a")).kind());
            assertEquals(Kind.SETTING, refused(() -> codec.decrypt("a")).kind());
            assertNull(codec.encrypt((byte[]) null));
            assertNull(codec.decrypt((byte[]) null));
        }
        try (Codec codec = doris().coding(Coding.HEX).weak(true).build()) {
            byte[] stored = codec.encrypt(new byte[] {(byte) 0xff});
            String text = new String(stored, StandardCharsets.US_ASCII);
            assertEquals(Kind.TEXT, refused(() -> codec.decrypt(text)).kind());
            assertNull(codec.decrypt((String) null));
            assertNull(codec.encrypt((String) null));
        }
    }

    @Test
    void aColumnKeepsItsBadValuesApart() throws Exception {
        Random random = new Random(3);
        try (Codec codec = Dialect.find("spark-aes").codec().key(new byte[32]).build()) {
            byte[][] plain = new byte[1000][];
            for (int i = 0; i < plain.length; i++) {
                plain[i] = i % 7 == 0 ? null : new byte[random.nextInt(200)];
                if (plain[i] != null) {
                    random.nextBytes(plain[i]);
                }
            }
            byte[][] stored = codec.encrypt(Values.of(plain)).toArrays();
            int bad = 0;
            for (int i = 0; i < stored.length; i++) {
                assertEquals(plain[i] == null, stored[i] == null);
                if (stored[i] != null && i % 10 == 1) {
                    stored[i][random.nextInt(stored[i].length)] ^= 1;
                    bad++;
                }
            }
            Values given = Values.of(stored);
            Values back = codec.decrypt(given);
            assertEquals(bad, back.bad());
            for (int i = 0; i < stored.length; i++) {
                boolean isBad = stored[i] != null && i % 10 == 1;
                assertEquals(isBad, back.isBad(i));
                assertArrayEquals(isBad ? null : plain[i], back.get(i));
                DialectException why = codec.why(given, i);
                assertEquals(isBad ? Kind.AUTHENTICATION : null, why == null ? null : why.kind());
            }
            back.wipe();
            for (byte[] wiped : back.toArrays()) {
                assertTrue(wiped == null || Arrays.equals(new byte[wiped.length], wiped));
            }
            assertEquals(0, codec.decrypt(Values.of()).size());
        }
    }

    @Test
    void everyValueHasAnIvOfItsOwn() throws Exception {
        try (Codec codec = Dialect.find("spark-aes").codec().key(new byte[16]).build()) {
            java.util.Set<String> seen = new java.util.HashSet<>();
            byte[][] same = new byte[3000][1];
            for (byte[] stored : codec.encrypt(Values.of(same)).toArrays()) {
                seen.add(Arrays.toString(Arrays.copyOf(stored, 12)));
            }
            for (int i = 0; i < 3000; i++) {
                seen.add(Arrays.toString(Arrays.copyOf(codec.encrypt(new byte[1]), 12)));
            }
            assertEquals(6000, seen.size());
        }
    }

    @Test
    void aClosedCodecIsRefused() throws Exception {
        Codec codec = doris().weak(true).build();
        byte[] stored = codec.encrypt(new byte[20]);
        codec.close();
        codec.close();
        assertThrows(IllegalStateException.class, () -> codec.decrypt(stored));
        assertThrows(IllegalStateException.class, () -> codec.encrypt(Values.of(stored)));
    }

    @Test
    void theBuilderForgetsItsKey() throws Exception {
        // Engines that fold a key or fill it up would make zeros of none.
        for (Codec.Builder builder : new Codec.Builder[] {
            Dialect.find("spark-aes").codec().key(new byte[16]), doris(),
            Dialect.find("pgcrypto-aes").codec().keyText("0123456789abcdef"),
            Dialect.find("shardingsphere-digest").codec().keyText("a text")}) {
            builder.build().close();
            DialectException error = refused(builder::build);
            assertEquals(Kind.SETTING, error.kind());
            assertEquals("key", error.field());
            assertTrue(error.getMessage().contains("is not given"), error.getMessage());
            builder.keyText("0123456789abcdef").build().close();
        }
        assertEquals(Kind.SETTING, refused(Dialect.find("mysql-aes").codec()::build).kind());
    }

    @Test
    void manyThreadsUseOneCodec() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Codec codec = Dialect.find("opengauss-sm4").codec().keyText("0123456789").weak(true)
                .build()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String text = "text of thread " + i;
                all.add(threads.submit(() -> {
                    for (int j = 0; j < 2000; j++) {
                        String stored = codec.encrypt(text);
                        assertNotEquals(stored, codec.encrypt(text));
                        assertEquals(text, codec.decrypt(stored));
                    }
                    return null;
                }));
            }
            for (Future<?> it : all) {
                it.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void codecsAreFreed() throws Exception {
        // A leak of a key schedule each would fill the machine.
        for (int i = 0; i < 20_000; i++) {
            assertEquals(16, doris().weak(true).build().encrypt(new byte[5]).length);
        }
    }
}
