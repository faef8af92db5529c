package org.cipherlane.flink;

import org.apache.flink.table.functions.ScalarFunction;
import org.cipherlane.internal.SqlFunctions;

/**
 * What {@link Sm4Encrypt} made: {@code sm4_decrypt(value, key[, mode])}.
 *
 * <p>{@code CREATE FUNCTION sm4_decrypt AS 'org.cipherlane.flink.Sm4Decrypt'}. The key is a
 * reference, {@code file:PATH} or {@code env:NAME} of the task managers: arguments stand in plans
 * and logs.
 * It holds 32 hexadecimal digits. NULL gives NULL.
 */
public final class Sm4Decrypt extends ScalarFunction {
    private static final long serialVersionUID = 1;

    private static final byte[] DEFAULT = SqlFunctions.bytes("DEFAULT");
    private static final byte[] NOTHING = {};

    /** Of bytes in GCM. */
    public byte[] eval(byte[] value, String key) {
        return eval(value, key, "GCM");
    }

    /** Of bytes in a mode. */
    public byte[] eval(byte[] value, String key, String mode) {
        if (value == null || key == null || mode == null) {
            return null;
        }
        return SqlFunctions.sm4_decrypt(value, SqlFunctions.bytes(key), SqlFunctions.bytes(mode),
                DEFAULT, NOTHING);
    }

    @Override
    public boolean isDeterministic() {
        return true;
    }
}
