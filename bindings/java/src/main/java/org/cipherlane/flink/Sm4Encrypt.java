package org.cipherlane.flink;

import org.apache.flink.table.functions.ScalarFunction;
import org.cipherlane.internal.SqlFunctions;

/**
 * A value under SM4, laid out as Spark's {@code aes_encrypt} does:
 * {@code sm4_encrypt(value, key)}.
 *
 * <p>{@code CREATE FUNCTION sm4_encrypt AS 'org.cipherlane.flink.Sm4Encrypt'}. The key is a
 * reference, {@code file:PATH} or {@code env:NAME} of the task managers: arguments stand in plans
 * and logs.
 * It holds 32 hexadecimal digits. NULL gives NULL.
 */
public final class Sm4Encrypt extends ScalarFunction {
    private static final long serialVersionUID = 1;

    private static final byte[] DEFAULT = SqlFunctions.bytes("DEFAULT");
    private static final byte[] NOTHING = {};

    /** Of bytes in GCM. */
    public byte[] eval(byte[] value, String key) {
        return eval(value, key, "GCM");
    }

    /** Of text in GCM. */
    public byte[] eval(String value, String key) {
        return eval(value, key, "GCM");
    }

    /** Of text in a mode. */
    public byte[] eval(String value, String key, String mode) {
        return value == null ? null : eval(SqlFunctions.bytes(value), key, mode);
    }

    /** Of bytes in a mode. */
    public byte[] eval(byte[] value, String key, String mode) {
        if (value == null || key == null || mode == null) {
            return null;
        }
        return SqlFunctions.sm4_encrypt(value, SqlFunctions.bytes(key), SqlFunctions.bytes(mode),
                DEFAULT, NOTHING, NOTHING);
    }

    @Override
    public boolean isDeterministic() {
        return false;
    }
}
