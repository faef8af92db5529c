package org.cipherlane.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys by reference, for arguments of functions stand in query plans and logs: {@code file:PATH}, a
 * file that every executor can read, or {@code env:NAME}, a variable of the executors; both hold
 * 32 hexadecimal digits.
 */
final class References {
    private static final int KEY_BYTES = 16;
    private static final Map<String, SecretKeySpec> KEYS = new ConcurrentHashMap<>();

    private References() {}

    static SecretKeySpec key(String reference) {
        return KEYS.computeIfAbsent(reference, References::read);
    }

    private static SecretKeySpec read(String reference) {
        if (reference.startsWith("file:")) {
            Path path = Path.of(reference.substring("file:".length()));
            try {
                return parse(Files.readString(path), "the file " + path);
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
            return parse(value, "the variable " + name);
        }
        // The text may be a key all the same: it is not repeated.
        throw new IllegalArgumentException(
                "a key is given by file:PATH or env:NAME, never as itself");
    }

    private static SecretKeySpec parse(String text, String place) {
        try {
            byte[] key = HexFormat.of().parseHex(text.strip());
            if (key.length == KEY_BYTES) {
                return new SecretKeySpec(key, "SM4");
            }
        } catch (IllegalArgumentException error) {
            // Its message would show the digits.
        }
        throw new IllegalArgumentException(
                place + " holds no SM4 key; allowed: 32 hexadecimal digits");
    }
}
