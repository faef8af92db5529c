package org.cipherlane.dialects;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.cipherlane.internal.Reach;

/**
 * A dialect under a key: reads and writes any number of values, from any number of threads. What is
 * kept of the key lies in the native half and is wiped by {@link #close}, or once nothing can reach
 * the codec any more.
 */
public final class Codec implements AutoCloseable {
    private final Dialect dialect;
    private final boolean weak;
    private final long handle;
    private final String[] facts;
    private final List<Flaw> flaws;

    private Codec(Dialect dialect, boolean weak, long handle) {
        this.dialect = dialect;
        this.weak = weak;
        this.handle = handle;
        Reach.whenGone(this, () -> Engine.free(handle));
        facts = new String(Engine.facts(handle), StandardCharsets.UTF_8).split("\t", -1);
        flaws = Flaw.read(facts[4]);
    }

    /** The dialect. */
    public Dialect dialect() {
        return dialect;
    }

    /** The engine's name of the mode. */
    public String mode() {
        return facts[0];
    }

    /** The cipher that the key has chosen, e.g. {@code aes-256}. */
    public String cipher() {
        return facts[1];
    }

    /** How stored values are written. */
    public Coding coding() {
        return Coding.of(facts[2]);
    }

    /** Whether a value that was changed, or is of another key, is refused by its tag or MAC. */
    public boolean authenticates() {
        return facts[3].equals("1");
    }

    /** What these values lack. */
    public List<Flaw> flaws() {
        return flaws;
    }

    /**
     * The plaintext of a stored value.
     *
     * @param stored the value as the engine stores it; null stays null
     * @return null where the engine has NULL
     * @throws DialectException if it does not open
     */
    public byte[] decrypt(byte[] stored) throws DialectException {
        return one(true, stored);
    }

    /**
     * The plaintext of a stored value that is text.
     *
     * @param stored in a coding of text
     * @return null where the engine has NULL
     * @throws DialectException if it does not open, or what comes out is no UTF-8
     */
    public String decrypt(String stored) throws DialectException {
        if (stored == null) {
            return null;
        }
        needText();
        byte[] plain = one(true, stored.getBytes(StandardCharsets.UTF_8));
        if (plain == null) {
            return null;
        }
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(plain));
            return text.toString();
        } catch (CharacterCodingException error) {
            throw new DialectException(DialectException.Kind.TEXT, "plaintext",
                    "the plaintext of this value of " + dialect.name() + " is no UTF-8",
                    "take its bytes, or another key: without a MAC a wrong one may not show");
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    /**
     * The stored value of a plaintext.
     *
     * @param plain the plaintext; null stays null
     * @return null where the engine stores NULL
     * @throws DialectException for a plaintext that the dialect can't store, and where it has
     *         flaws and {@link Builder#weak} does not say that they are known
     */
    public byte[] encrypt(byte[] plain) throws DialectException {
        needLeave();
        return one(false, plain);
    }

    /**
     * The stored value of a text, in a coding of text.
     *
     * @param plain the text, encrypted as UTF-8
     * @return null where the engine stores NULL
     * @throws DialectException as {@link #encrypt(byte[])}
     */
    public String encrypt(String plain) throws DialectException {
        needLeave();
        if (plain == null) {
            return null;
        }
        needText();
        byte[] bytes = plain.getBytes(StandardCharsets.UTF_8);
        try {
            byte[] stored = one(false, bytes);
            return stored == null ? null : new String(stored, StandardCharsets.US_ASCII);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * The plaintexts of a column, in one call. One that does not open is {@link Values#isBad bad},
     * and the others go on; {@link #why} says what was wrong.
     *
     * @param stored the values; NULL stays NULL
     */
    public Values decrypt(Values stored) throws DialectException {
        return many(true, stored);
    }

    /**
     * The stored values of a column, in one call.
     *
     * @param plain the plaintexts; NULL stays NULL
     * @throws DialectException where the dialect has flaws and {@link Builder#weak} was not said
     */
    public Values encrypt(Values plain) throws DialectException {
        needLeave();
        return many(false, plain);
    }

    /**
     * Why a value does not open: the exception that {@link #decrypt(byte[])} throws for it; null if
     * it does.
     *
     * @param stored the values that were given
     * @param row the number of the one asked for
     */
    public DialectException why(Values stored, int row) {
        byte[] value = stored.get(row);
        try {
            byte[] plain = one(true, value);
            if (plain != null) {
                Arrays.fill(plain, (byte) 0);
            }
            return null;
        } catch (DialectException error) {
            return error;
        }
    }

    private byte[] one(boolean decrypts, byte[] value) throws DialectException {
        if (value == null) {
            return null;
        }
        try {
            return Engine.one(handle, decrypts, value, 0, value.length);
        } finally {
            Reach.keep(this);
        }
    }

    private Values many(boolean decrypts, Values values) throws DialectException {
        int[] ends = values.ends.clone();
        byte[] states = values.states.clone();
        try {
            byte[] bytes = Engine.many(handle, decrypts, values.bytes, ends, states);
            return new Values(bytes, ends, states);
        } finally {
            Reach.keep(this);
        }
    }

    private void needText() throws DialectException {
        if (coding() == Coding.RAW) {
            throw new DialectException(DialectException.Kind.SETTING, "coding",
                    "coding of " + dialect.name() + " is raw, which is no text",
                    "set a coding of text, or take the methods for byte[]");
        }
    }

    private void needLeave() throws DialectException {
        if (!weak && !flaws.isEmpty()) {
            throw new DialectException(DialectException.Kind.WEAK, "dialect",
                    dialect.name() + " in mode " + mode() + " is not written without leave: "
                            + flaws,
                    "weak(true) says that this is known");
        }
    }

    /** Wipes the key; what is called later throws {@link IllegalStateException}. */
    @Override
    public void close() {
        Engine.close(handle);
        Reach.keep(this);
    }

    @Override
    public String toString() {
        return "Codec(" + dialect.name() + ", " + mode() + ", " + facts[2] + ")";
    }

    /** A key and what goes with it. What is not said is the engine's own choice. */
    public static final class Builder {
        private final Dialect dialect;
        /** None until it is given, and none again when a codec has it. */
        private byte[] key;
        private Form keyForm;
        private String mode;
        private byte[] iv;
        private Form ivForm;
        private String hash;
        private byte[] aad = {};
        private Coding coding;
        private boolean weak;

        Builder(Dialect dialect) {
            this.dialect = dialect;
        }

        /** The key as the engine's user gives it, as text; its UTF-8 is taken. */
        public Builder keyText(String text) {
            wipe(key);
            key = text.getBytes(StandardCharsets.UTF_8);
            keyForm = null;
            return this;
        }

        /** The key as the engine's user gives it, byte by byte. */
        public Builder key(byte[] bytes) {
            return key(bytes, null);
        }

        /**
         * The key in a form.
         *
         * @param bytes the key
         * @param form how it is given; null: the first form of the dialect under which it has an
         *        allowed length
         */
        public Builder key(byte[] bytes, Form form) {
            wipe(key);
            key = bytes.clone();
            keyForm = form;
            return this;
        }

        /** The mode by the engine's name, whatever its case. */
        public Builder mode(String name) {
            mode = name;
            return this;
        }

        /** The IV argument as text. */
        public Builder ivText(String text) {
            return iv(text.getBytes(StandardCharsets.UTF_8), null);
        }

        /**
         * The IV argument.
         *
         * @param bytes the IV
         * @param form how it is given; null: as for the key
         */
        public Builder iv(byte[] bytes, Form form) {
            iv = bytes.clone();
            ivForm = form;
            return this;
        }

        /** The digest that makes the key, of dialects with a choice, e.g. {@code SHA-256}. */
        public Builder hash(String name) {
            hash = name;
            return this;
        }

        /** Associated data, of modes that have such. */
        public Builder aad(byte[] bytes) {
            aad = bytes.clone();
            return this;
        }

        /** How stored values are written. */
        public Builder coding(Coding it) {
            coding = it;
            return this;
        }

        /** Says that the {@link Codec#flaws} of what is written are known. */
        public Builder weak(boolean known) {
            weak = known;
            return this;
        }

        /**
         * Settings as text, for functions of SQL: {@code name=value} with {@code ;} between. Names
         * are {@code mode}, {@code iv}, {@code iv-hex}, {@code key-form}, {@code hash},
         * {@code aad}, {@code aad-hex}, {@code coding} and {@code weak}.
         *
         * @throws DialectException for another name or a value that it does not have
         */
        public Builder options(String text) throws DialectException {
            Options.read(text, this);
            return this;
        }

        Builder keyForm(Form form) {
            keyForm = form;
            return this;
        }

        Dialect dialect() {
            return dialect;
        }

        private static byte[] bytes(String text) {
            return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        }

        private static void wipe(byte[] bytes) {
            if (bytes != null) {
                Arrays.fill(bytes, (byte) 0);
            }
        }

        /**
         * Makes the codec. The builder's copy of the key is wiped: for another codec it must be
         * given again.
         *
         * @throws DialectException if no key was given since the last codec, for a mode that is not there, a key or an IV of a wrong length
         *         or coding, and settings that the dialect has no place for
         */
        public Codec build() throws DialectException {
            byte[] used = key;
            key = null;
            if (used == null) {
                // Some engines make zeros of an empty key; of one that is not there nobody may.
                throw new DialectException(DialectException.Kind.SETTING, "key",
                        "key of " + dialect.name() + " is not given", "give it with key or "
                                + "keyText, for each codec anew");
            }
            try {
                long handle = Engine.prepare(bytes(dialect.name()), used, Form.number(keyForm),
                        bytes(mode), iv, Form.number(ivForm), bytes(hash), aad,
                        bytes(coding == null ? null : coding.tableName()));
                return new Codec(dialect, weak, handle);
            } finally {
                wipe(used);
            }
        }
    }
}
