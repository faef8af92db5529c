package org.cipherlane.hive;

import org.apache.hadoop.hive.ql.exec.Description;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.hive.ql.udf.UDFType;
import org.cipherlane.internal.SqlFunctions;

/**
 * A value as another engine stores it:
 * {@code dialect_encrypt(dialect, value, key[, options])}.
 *
 * <p>{@code CREATE FUNCTION dialect_encrypt AS 'org.cipherlane.hive.DialectEncrypt' USING
 * JAR '…'}. The key is a reference, {@code file:PATH} or {@code env:NAME} of what runs the query:
 * arguments stand in plans
 * and logs. Options are those of {@link org.cipherlane.dialects.Codec.Builder#options}. NULL gives
 * NULL.
 */
@Description(name = "dialect_encrypt",
        value = "_FUNC_(dialect, value, key[, options]) - value as another engine stores it",
        extended = "key: file:PATH or env:NAME, which hold the key as the engine's user gives it")
@UDFType(deterministic = false)
public final class DialectEncrypt extends UDF {
    /** Of bytes, with the engine's own choice of all else. */
    public byte[] evaluate(String dialect, byte[] value, String key) {
        return evaluate(dialect, value, key, "");
    }

    /** Of text. */
    public byte[] evaluate(String dialect, String value, String key) {
        return evaluate(dialect, value, key, "");
    }

    /** Of text with options. */
    public byte[] evaluate(String dialect, String value, String key, String options) {
        return value == null ? null
                : evaluate(dialect, SqlFunctions.bytes(value), key, options);
    }

    /** Of bytes with options. */
    public byte[] evaluate(String dialect, byte[] value, String key, String options) {
        if (dialect == null || value == null || key == null || options == null) {
            return null;
        }
        return SqlFunctions.dialect_encrypt(SqlFunctions.bytes(dialect), value,
                SqlFunctions.bytes(key), SqlFunctions.bytes(options));
    }
}
