package org.cipherlane.flink;

import org.apache.flink.table.functions.ScalarFunction;
import org.cipherlane.internal.SqlFunctions;

/**
 * A value as another engine stores it:
 * {@code dialect_encrypt(dialect, value, key[, options])}.
 *
 * <p>{@code CREATE FUNCTION dialect_encrypt AS 'org.cipherlane.flink.DialectEncrypt'}. The key is a
 * reference, {@code file:PATH} or {@code env:NAME} of the task managers: arguments stand in plans
 * and logs.
 * Options are those of {@link org.cipherlane.dialects.Codec.Builder#options}. NULL gives NULL.
 */
public final class DialectEncrypt extends ScalarFunction {
    private static final long serialVersionUID = 1;

    /** Of bytes, with the engine's own choice of all else. */
    public byte[] eval(String dialect, byte[] value, String key) {
        return eval(dialect, value, key, "");
    }

    /** Of text. */
    public byte[] eval(String dialect, String value, String key) {
        return eval(dialect, value, key, "");
    }

    /** Of text with options. */
    public byte[] eval(String dialect, String value, String key, String options) {
        return value == null ? null : eval(dialect, SqlFunctions.bytes(value), key, options);
    }

    /** Of bytes with options. */
    public byte[] eval(String dialect, byte[] value, String key, String options) {
        if (dialect == null || value == null || key == null || options == null) {
            return null;
        }
        return SqlFunctions.dialect_encrypt(SqlFunctions.bytes(dialect), value,
                SqlFunctions.bytes(key), SqlFunctions.bytes(options));
    }

    @Override
    public boolean isDeterministic() {
        return false;
    }
}
