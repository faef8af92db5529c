package org.cipherlane.dialects;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cipherlane.internal.Hex;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every vector of the dialects, published and computed. */
class DialectVectorsTest {
    /** A line that {@code cargo xtask java} writes. */
    private static final class Line {
        final String[] fields;

        Line(String line) {
            fields = line.split("\t", -1);
        }

        String text(int field) {
            return fields[field].equals("-") ? null : fields[field];
        }

        byte[] bytes(int field) {
            return text(field) == null ? null : Hex.parse(fields[field]);
        }

        Codec codec() throws DialectException {
            Form form = text(5) == null ? null : Form.valueOf(fields[5].toUpperCase(Locale.ROOT));
            Codec.Builder builder = Dialect.find(fields[3]).codec().key(bytes(6), form)
                    .hash(text(8)).aad(bytes(9)).weak(true);
            if (text(4) != null) {
                builder.mode(fields[4]);
            }
            if (text(7) != null) {
                builder.iv(bytes(7), null);
            }
            if (text(10) != null) {
                builder.coding(Coding.of(fields[10]));
            }
            return builder.build();
        }

        byte[] plain() {
            return bytes(11);
        }

        byte[] stored() {
            return bytes(12);
        }

        boolean drawn() {
            return fields[13].equals("1");
        }
    }

    private static List<Line> lines() throws IOException {
        String file = System.getProperty("org.cipherlane.dialects");
        return Files.readAllLines(Paths.get(file)).stream().skip(1).map(Line::new)
                .collect(Collectors.toList());
    }

    @Test
    void allAreThere() throws IOException {
        List<Line> lines = lines();
        assertEquals(499, lines.size());
        assertEquals(37, lines.stream().filter(it -> it.fields[2].equals("published")).count());
        assertEquals(Dialect.all().size(),
                lines.stream().map(it -> it.fields[3]).distinct().count());
    }

    @TestFactory
    Stream<DynamicTest> comesOut() throws IOException {
        return lines().stream().map(it -> DynamicTest.dynamicTest(it.fields[1], () -> test(it)));
    }

    private static void test(Line it) throws DialectException {
        switch (it.fields[0]) {
            case "value":
                value(it);
                break;
            case "null-argument":
                assertTrue(Dialect.find(it.fields[3]).keepsNull());
                break;
            case "null":
                nothing(it);
                break;
            case "refused":
                DialectException no = assertThrows(DialectException.class, () -> {
                    try (Codec codec = it.codec()) {
                        codec.encrypt(it.plain());
                    }
                });
                assertFalse(no.remedy().isEmpty() || no.field().isEmpty(), no.getMessage());
                break;
            default:
                assertEquals("refused-value", it.fields[0]);
                try (Codec codec = it.codec()) {
                    DialectException wrong =
                            assertThrows(DialectException.class, () -> codec.decrypt(it.stored()));
                    assertTrue(wrong.ofValue(), wrong.getMessage());
                    Values column = codec.decrypt(Values.of(it.stored(), null, it.stored()));
                    assertEquals(2, column.bad());
                    assertTrue(column.isNull(1) && column.isBad(2));
                }
        }
    }

    private static void value(Line it) throws DialectException {
        try (Codec codec = it.codec()) {
            assertArrayEquals(it.plain(), codec.decrypt(it.stored()));
            byte[] again = codec.encrypt(it.plain());
            if (it.drawn()) {
                assertEquals(it.stored().length, again.length);
                assertArrayEquals(it.plain(), codec.decrypt(again));
            } else {
                assertArrayEquals(it.stored(), again);
            }
            byte[][] both = {it.stored(), null, again};
            byte[][] plain = codec.decrypt(Values.of(both)).toArrays();
            assertArrayEquals(it.plain(), plain[0]);
            assertNull(plain[1]);
            assertArrayEquals(it.plain(), plain[2]);
            byte[][] back = codec.encrypt(Values.of(plain)).toArrays();
            assertArrayEquals(it.plain(), codec.decrypt(back[2]));
            assertNull(back[1]);
        }
    }

    private static void nothing(Line it) throws DialectException {
        Codec codec;
        try {
            codec = it.codec();
        } catch (DialectException error) {
            assertTrue(error.givesNull(), error.getMessage());
            return;
        }
        assertNull(codec.encrypt(it.plain()));
        assertTrue(codec.encrypt(Values.of(new byte[][] {it.plain()})).isNull(0));
    }
}
