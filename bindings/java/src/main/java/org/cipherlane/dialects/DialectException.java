package org.cipherlane.dialects;

import java.security.GeneralSecurityException;

/**
 * What is wrong with a name, a setting, a stored value or a plaintext. The message names the
 * field, what it is, what is allowed and what to do; nothing secret is ever part of it.
 *
 * <p>{@link Kind#PADDING} is for the owner of the data: whoever learns of values that he sends in
 * whether their padding was right decrypts without the key (Vaudenay 2002). It does not belong in
 * an answer to others.
 */
public final class DialectException extends GeneralSecurityException {
    private static final long serialVersionUID = 1;

    /** What stands between the pieces that the native half gives. */
    private static final String BETWEEN = "\u0001";

    /** Kinds of faults. */
    public enum Kind {
        /** There is no such dialect. */
        DIALECT,
        /** The dialect has no such mode. */
        MODE,
        /** A key or an IV of a length that the dialect does not allow. */
        LENGTH,
        /** A setting that the dialect has no place for, or a missing one. */
        SETTING,
        /** A key, an IV or a stored value that is not in its coding. */
        CODING,
        /** A stored value of a length that no value has. */
        STORED,
        /** A plaintext of a length that the mode does not allow. */
        PLAINTEXT,
        /** A plaintext with a byte 0, at which the engine would end it. */
        ZERO_BYTE,
        /** The tag or MAC is wrong; nothing of the plaintext was given out. */
        AUTHENTICATION,
        /** The padding is wrong. For the owner of the data alone. */
        PADDING,
        /** What the engine makes of NULL is not known. */
        NULL,
        /** The system gave no random bytes. */
        RANDOM,
        /** What came out is no text. */
        TEXT,
        /** A dialect with flaws is written only where {@code weak(true)} says so. */
        WEAK,
        /** Anything else that the library refuses. */
        LIBRARY
    }

    /** What is wrong. */
    private final Kind kind;
    /** Where. */
    private final String field;
    /** Whether it is about one value. */
    private final boolean value;
    /** Whether the engine has NULL for it. */
    private final boolean nothing;
    /** What to do. */
    private final String remedy;

    /** Of the pieces that the native half gives, which calls this. */
    DialectException(String pieces) {
        this(pieces.split(BETWEEN, -1));
    }

    private DialectException(String[] pieces) {
        this(Kind.valueOf(pieces[0]), pieces[1], pieces[2].equals("1"), pieces[3].equals("1"),
                pieces[5], pieces[4]);
    }

    DialectException(Kind kind, String field, String what, String remedy) {
        this(kind, field, kind == Kind.TEXT, false, what, remedy);
    }

    private DialectException(Kind kind, String field, boolean value, boolean nothing, String what,
            String remedy) {
        super(what + "; " + remedy);
        this.kind = kind;
        this.field = field;
        this.value = value;
        this.nothing = nothing;
        this.remedy = remedy;
    }

    /** What kind of fault it is. */
    public Kind kind() {
        return kind;
    }

    /** What is at fault, e.g. {@code key}, {@code IV}, {@code stored value}. */
    public String field() {
        return field;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }

    /** Whether it is about one value, so that others may go well. */
    public boolean ofValue() {
        return value;
    }

    /** Whether the engine answers the same call with NULL instead of an error. */
    public boolean givesNull() {
        return nothing;
    }
}
