package org.cipherlane.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys by reference, for arguments of functions stand in query plans and logs: {@code file:PATH}, a
 * file that every executor can read, or {@code env:NAME}, a variable of the executors. Of the jar's
 * own classes only.
 */
public final class References {
    private static final int KEY_BYTES = 16;
    /** The longest text of a key that is read. */
    private static final int MOST = 64 * 1024;
    private static final Map<String, SecretKeySpec> KEYS = new ConcurrentHashMap<>();

    private References() {}

    /**
     * A key of SM4, for which the place holds 32 hexadecimal digits; read once.
     *
     * @param reference {@code file:PATH} or {@code env:NAME}
     */
    public static SecretKeySpec key(String reference) {
        return KEYS.computeIfAbsent(reference, it -> parse(text(it), it));
    }

    /**
     * What the place holds, without line ends behind it.
     *
     * @param reference {@code file:PATH} or {@code env:NAME}
     */
    public static String text(String reference) {
        String text = read(reference);
        int end = text.length();
        while (end > 0 && "\r\n".indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        if (end == 0) {
            // Some engines make zeros of an empty key.
            throw new IllegalArgumentException(reference + " holds no key: it is empty");
        }
        return text.substring(0, end);
    }

    private static String read(String reference) {
        if (reference.startsWith("file:")) {
            Path path = Paths.get(reference.substring("file:".length()));
            try (InputStream file = Files.newInputStream(path)) {
                return new String(bounded(file, reference), StandardCharsets.UTF_8);
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }
        if (reference.startsWith("env:")) {
            String name = reference.substring("env:".length());
            String value = System.getenv(name);
            if (value == null) {
                throw new IllegalArgumentException("the variable " + name + " is not set");
            }
            return value;
        }
        // The text may be a key all the same: it is not repeated.
        throw new IllegalArgumentException(
                "a key is given by file:PATH or env:NAME, never as itself");
    }

    /** All of a file, unless it is longer than a key can be, or a device that does not end. */
    private static byte[] bounded(InputStream file, String reference) throws IOException {
        byte[] bytes = new byte[MOST + 1];
        int filled = 0;
        int more;
        while (filled < bytes.length
                && (more = file.read(bytes, filled, bytes.length - filled)) >= 0) {
            filled += more;
        }
        if (filled > MOST) {
            throw new IllegalArgumentException(
                    reference + " holds more than " + MOST + " bytes: no key");
        }
        return Arrays.copyOf(bytes, filled);
    }

    private static SecretKeySpec parse(String text, String place) {
        byte[] key = {};
        try {
            key = Hex.parse(text.trim());
            if (key.length == KEY_BYTES) {
                return new SecretKeySpec(key, "SM4");
            }
        } catch (IllegalArgumentException error) {
            // Said below.
        } finally {
            Arrays.fill(key, (byte) 0);
        }
        throw new IllegalArgumentException(
                place + " holds no SM4 key; allowed: 32 hexadecimal digits");
    }
}
