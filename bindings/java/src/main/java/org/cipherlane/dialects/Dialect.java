package org.cipherlane.dialects;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How one database, middleware or UDF stores encrypted values: its own way from a text to a key,
 * its
 * own IV, padding, layout and coding. The table of all, with sources, is {@code docs/DIALECTS.md}.
 *
 * <pre>
 * try (Codec doris = Dialect.find("doris-sm4").codec()
 *         .keyText("F3229A0B371ED2D9441B830D21A390C3")
 *         .mode("SM4_128_CBC").ivText("0123456789").coding(Coding.BASE64).build()) {
 *     String text = doris.decrypt("1Y4NGIukSbv9OrkZnRD1bQ==");
 * }
 * </pre>
 *
 * <p>Most dialects have no MAC. Then nothing tells that a value was changed, and a wrong key shows
 * in
 * the padding at best; and whoever lets others learn that a padding was wrong lets them decrypt.
 * {@link #flaws} names what a dialect lacks, and writing one that lacks something takes
 * {@link Codec.Builder#weak}. Where a dialect has a MAC or a tag, nothing of a plaintext is given
 * out unless that is right.
 */
public final class Dialect {
    private static final int FIELDS = 12;
    private static final List<Dialect> ALL = read();

    private final String[] fields;
    private final List<Coding> codings;
    private final List<Form> forms;
    private final List<Flaw> flaws;

    private Dialect(String[] fields) {
        if (fields.length != FIELDS) {
            throw new IllegalStateException("the native library is of another version");
        }
        this.fields = fields;
        codings = Collections.unmodifiableList(
                names(6).stream().map(Coding::of).collect(Collectors.toList()));
        forms = Collections.unmodifiableList(names(5).stream()
                .map(name -> Form.valueOf(name.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toList()));
        flaws = Flaw.read(fields[11]);
    }

    private static List<Dialect> read() {
        List<Dialect> dialects = new ArrayList<>();
        for (String line : new String(Engine.listing(), StandardCharsets.UTF_8).split("\n")) {
            dialects.add(new Dialect(line.split("\t", -1)));
        }
        return Collections.unmodifiableList(dialects);
    }

    private List<String> names(int field) {
        return fields[field].isEmpty() ? Collections.emptyList()
                : Collections.unmodifiableList(Arrays.asList(fields[field].split(",")));
    }

    /** Every dialect. */
    public static List<Dialect> all() {
        return ALL;
    }

    /**
     * The dialect of that name, whatever its case.
     *
     * @param name e.g. {@code opengauss-sm4}
     * @throws DialectException if there is none; it names the nearest one
     */
    public static Dialect find(String name) throws DialectException {
        for (Dialect dialect : ALL) {
            if (dialect.name().equalsIgnoreCase(name)) {
                return dialect;
            }
        }
        Engine.unknown(name.getBytes(StandardCharsets.UTF_8));
        throw new IllegalStateException(name + " is listed nowhere and was found");
    }

    /** Its name here. */
    public String name() {
        return fields[0];
    }

    /** Product and function. */
    public String engine() {
        return fields[1];
    }

    /**
     * Whether somebody else has printed a value of it that comes out; else the rule alone is known.
     */
    public boolean published() {
        return fields[2].equals("published");
    }

    /** Whether the engine is known to make NULL of NULL. */
    public boolean keepsNull() {
        return fields[3].equals("null");
    }

    /** The engine's names of its modes, the engine's own choice first. */
    public List<String> modes() {
        return names(4);
    }

    /** The forms that a key is given in; without a choice the first that fits is taken. */
    public List<Form> keyForms() {
        return forms;
    }

    /** The codings that values are met in, the engine's own first. */
    public List<Coding> codings() {
        return codings;
    }

    /** The digests to choose from, where one makes the key; the usual one first. */
    public List<String> hashes() {
        return names(7);
    }

    /** The ciphers of its modes. */
    public List<String> ciphers() {
        return names(8);
    }

    /** How the user's key becomes the cipher's, in words. */
    public String key() {
        return fields[9];
    }

    /** Where the IV comes from, in words. */
    public String iv() {
        return fields[10];
    }

    /** What any of its modes lacks; {@link Codec#flaws} is of one mode. */
    public List<Flaw> flaws() {
        return flaws;
    }

    /** Begins what reads and writes its values under a key. */
    public Codec.Builder codec() {
        return new Codec.Builder(this);
    }

    @Override
    public String toString() {
        return name() + ": " + engine();
    }
}
