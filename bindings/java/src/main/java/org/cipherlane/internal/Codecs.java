package org.cipherlane.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.cipherlane.dialects.Codec;
import org.cipherlane.dialects.Dialect;
import org.cipherlane.dialects.DialectException;

/**
 * Codecs of dialects by what functions of SQL are given, made once. Of the jar's own classes only.
 */
public final class Codecs {
    /** Whoever names more of them by values of a column gets them made anew. */
    private static final int MOST = 256;
    private static final Map<List<String>, Codec> KNOWN = new ConcurrentHashMap<>();
    /** What the last call of a thread asked for: the next row asks for the same. */
    private static final ThreadLocal<Last> LAST = ThreadLocal.withInitial(Last::new);

    private Codecs() {}

    private static final class Last {
        private byte[] dialect;
        private byte[] key;
        private byte[] options;
        private Codec codec;
    }

    /**
     * The codec for the UTF-8 of a dialect's name, a reference to a key and options.
     *
     * @param dialect the dialect's name
     * @param key {@code file:PATH} or {@code env:NAME}
     * @param options as {@link Codec.Builder#options} takes them
     */
    public static Codec of(byte[] dialect, byte[] key, byte[] options) throws DialectException {
        Last last = LAST.get();
        boolean same = last.codec != null && Arrays.equals(last.options, options)
                && Arrays.equals(last.key, key) && Arrays.equals(last.dialect, dialect);
        if (!same) {
            last.codec = of(text(dialect), text(key), text(options));
            last.dialect = dialect.clone();
            last.key = key.clone();
            last.options = options.clone();
        }
        return last.codec;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * The same for texts.
     *
     * @param dialect the dialect's name
     * @param key {@code file:PATH} or {@code env:NAME}
     * @param options as {@link Codec.Builder#options} takes them
     */
    public static Codec of(String dialect, String key, String options) throws DialectException {
        List<String> name = Arrays.asList(dialect, key, options);
        Codec known = KNOWN.get(name);
        if (known != null) {
            return known;
        }
        Codec made = Dialect.find(dialect).codec().keyText(References.text(key)).options(options)
                .build();
        if (KNOWN.size() < MOST) {
            Codec other = KNOWN.putIfAbsent(name, made);
            if (other != null) {
                made.close();
                return other;
            }
        }
        return made;
    }
}
