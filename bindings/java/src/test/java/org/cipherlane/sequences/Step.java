package org.cipherlane.sequences;

import java.security.spec.AlgorithmParameterSpec;

/**
 * A call and all that goes into it.
 *
 * @param mode of an initialisation, else 0
 * @param room bytes of output beyond those of input, fewer if negative
 * @param at where in its array the output begins
 */
record Step(Kind kind, Form form, int mode, byte[] key, AlgorithmParameterSpec parameters,
        byte[] data, int room, int at) {

    /**
     * Room for a whole message, which may all come out at its end: one of 5000 bytes, which may be
     * begun a second time without an end of the first.
     */
    static final int MUCH = 12_000;

    /** What is called. */
    enum Kind { INIT, INIT_DRAWN, AAD, UPDATE, FINAL, WRAP, UNWRAP, RESET, CLONE }

    /** Where input and output are. */
    enum Form { RETURNED, NONE, ARRAYS, IN_PLACE, SHIFTED, HEAP, DIRECT, MIXED, READ_ONLY }

    static Step init(int mode, byte[] key, AlgorithmParameterSpec parameters) {
        return new Step(Kind.INIT, Form.NONE, mode, key, parameters, new byte[0], 0, 0);
    }

    /** An IV is drawn, of a generator that gives both providers the same bytes. */
    static Step drawn(int mode, byte[] key) {
        return new Step(Kind.INIT_DRAWN, Form.NONE, mode, key, null, new byte[0], 0, 0);
    }

    static Step with(Kind kind, Form form, byte[] data, int room, int at) {
        return new Step(kind, form, 0, null, null, data, room, at);
    }

    /** The same call with room enough. */
    Step again() {
        return new Step(kind, form, mode, key, parameters, data, MUCH, at);
    }

    boolean begins() {
        return kind == Kind.INIT || kind == Kind.INIT_DRAWN;
    }

    boolean ends() {
        return kind == Kind.FINAL || kind == Kind.WRAP || kind == Kind.UNWRAP;
    }

    @Override
    public String toString() {
        String what = switch (kind) {
            case INIT -> "mode " + mode + ", key of " + key.length + ", "
                    + (parameters == null ? "null" : parameters.getClass().getSimpleName());
            case INIT_DRAWN -> "mode " + mode + ", key of " + key.length;
            default -> data.length + " bytes, " + form + ", room " + room + " at " + at;
        };
        return kind + " (" + what + ")";
    }
}
