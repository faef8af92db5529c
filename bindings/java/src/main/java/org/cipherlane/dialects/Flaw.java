package org.cipherlane.dialects;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Something that a dialect lacks. */
public final class Flaw {
    private static final String BETWEEN = "\u0001";

    private final String name;
    private final String text;

    private Flaw(String name, String text) {
        this.name = name;
        this.text = text;
    }

    /** Those of a line of the native half. */
    static List<Flaw> read(String line) {
        if (line.isEmpty()) {
            return Collections.emptyList();
        }
        List<Flaw> flaws = new ArrayList<>();
        for (String flaw : line.split(BETWEEN, -1)) {
            int end = flaw.indexOf('=');
            flaws.add(new Flaw(flaw.substring(0, end), flaw.substring(end + 1)));
        }
        return Collections.unmodifiableList(flaws);
    }

    /** A name for programs, e.g. {@code no-integrity}, {@code ecb}, {@code key-as-iv}. */
    public String name() {
        return name;
    }

    /** What it is, in words. */
    @Override
    public String toString() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Flaw && ((Flaw) other).name.equals(name)
                && ((Flaw) other).text.equals(text);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, text);
    }
}
