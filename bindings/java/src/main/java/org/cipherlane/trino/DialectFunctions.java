package org.cipherlane.trino;

import io.airlift.slice.Slice;
import io.trino.spi.function.Description;
import io.trino.spi.function.LiteralParameters;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlNullable;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;
import org.cipherlane.internal.SqlFunctions;

/**
 * {@code dialect_decrypt(dialect, value, key[, options])} and its like, for the values of other
 * engines, which have them as VARBINARY or as text; by the names of
 * {@link org.cipherlane.dialects.Dialect} and the options of
 * {@link org.cipherlane.dialects.Codec.Builder#options}.
 */
public final class DialectFunctions {
    private static final byte[] NONE = {};

    private DialectFunctions() {}

    private static Slice stored(Slice dialect, Slice value, Slice key, byte[] options) {
        return Sm4Functions.called(() -> SqlFunctions.dialect_encrypt(dialect.getBytes(),
                value.getBytes(), key.getBytes(), options));
    }

    private static Slice opened(Slice dialect, Slice value, Slice key, byte[] options) {
        return Sm4Functions.called(() -> SqlFunctions.dialect_decrypt(dialect.getBytes(),
                value.getBytes(), key.getBytes(), options));
    }

    private static Slice tried(Slice dialect, Slice value, Slice key, byte[] options) {
        return Sm4Functions.called(() -> SqlFunctions.try_dialect_decrypt(dialect.getBytes(),
                value.getBytes(), key.getBytes(), options));
    }

    /** Of bytes. */
    @Description("value as another engine stores it")
    @ScalarFunction(value = "dialect_encrypt", deterministic = false)
    @LiteralParameters({"d", "k"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice encrypt(@SqlType("varchar(d)") Slice dialect,
            @SqlType(StandardTypes.VARBINARY) Slice value, @SqlType("varchar(k)") Slice key) {
        return stored(dialect, value, key, NONE);
    }

    /** Of text. */
    @Description("value as another engine stores it")
    @ScalarFunction(value = "dialect_encrypt", deterministic = false)
    @LiteralParameters({"d", "v", "k"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice encryptText(@SqlType("varchar(d)") Slice dialect,
            @SqlType("varchar(v)") Slice value, @SqlType("varchar(k)") Slice key) {
        return stored(dialect, value, key, NONE);
    }

    /** Of bytes with options. */
    @Description("value as another engine stores it")
    @ScalarFunction(value = "dialect_encrypt", deterministic = false)
    @LiteralParameters({"d", "k", "o"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice encrypt(@SqlType("varchar(d)") Slice dialect,
            @SqlType(StandardTypes.VARBINARY) Slice value, @SqlType("varchar(k)") Slice key,
            @SqlType("varchar(o)") Slice options) {
        return stored(dialect, value, key, options.getBytes());
    }

    /** Of text with options. */
    @Description("value as another engine stores it")
    @ScalarFunction(value = "dialect_encrypt", deterministic = false)
    @LiteralParameters({"d", "v", "k", "o"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice encryptText(@SqlType("varchar(d)") Slice dialect,
            @SqlType("varchar(v)") Slice value, @SqlType("varchar(k)") Slice key,
            @SqlType("varchar(o)") Slice options) {
        return stored(dialect, value, key, options.getBytes());
    }

    /** Of bytes. */
    @Description("what another engine stored; fails if it does not open")
    @ScalarFunction("dialect_decrypt")
    @LiteralParameters({"d", "k"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice decrypt(@SqlType("varchar(d)") Slice dialect,
            @SqlType(StandardTypes.VARBINARY) Slice value, @SqlType("varchar(k)") Slice key) {
        return opened(dialect, value, key, NONE);
    }

    /** Of text. */
    @Description("what another engine stored; fails if it does not open")
    @ScalarFunction("dialect_decrypt")
    @LiteralParameters({"d", "v", "k"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice decryptText(@SqlType("varchar(d)") Slice dialect,
            @SqlType("varchar(v)") Slice value, @SqlType("varchar(k)") Slice key) {
        return opened(dialect, value, key, NONE);
    }

    /** Of bytes with options. */
    @Description("what another engine stored; fails if it does not open")
    @ScalarFunction("dialect_decrypt")
    @LiteralParameters({"d", "k", "o"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice decrypt(@SqlType("varchar(d)") Slice dialect,
            @SqlType(StandardTypes.VARBINARY) Slice value, @SqlType("varchar(k)") Slice key,
            @SqlType("varchar(o)") Slice options) {
        return opened(dialect, value, key, options.getBytes());
    }

    /** Of text with options. */
    @Description("what another engine stored; fails if it does not open")
    @ScalarFunction("dialect_decrypt")
    @LiteralParameters({"d", "v", "k", "o"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice decryptText(@SqlType("varchar(d)") Slice dialect,
            @SqlType("varchar(v)") Slice value, @SqlType("varchar(k)") Slice key,
            @SqlType("varchar(o)") Slice options) {
        return opened(dialect, value, key, options.getBytes());
    }

    /** Of bytes. */
    @Description("what another engine stored, NULL if it does not open")
    @ScalarFunction("try_dialect_decrypt")
    @LiteralParameters({"d", "k"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice tryDecrypt(@SqlType("varchar(d)") Slice dialect,
            @SqlType(StandardTypes.VARBINARY) Slice value, @SqlType("varchar(k)") Slice key) {
        return tried(dialect, value, key, NONE);
    }

    /** Of text. */
    @Description("what another engine stored, NULL if it does not open")
    @ScalarFunction("try_dialect_decrypt")
    @LiteralParameters({"d", "v", "k"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice tryDecryptText(@SqlType("varchar(d)") Slice dialect,
            @SqlType("varchar(v)") Slice value, @SqlType("varchar(k)") Slice key) {
        return tried(dialect, value, key, NONE);
    }

    /** Of bytes with options. */
    @Description("what another engine stored, NULL if it does not open")
    @ScalarFunction("try_dialect_decrypt")
    @LiteralParameters({"d", "k", "o"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice tryDecrypt(@SqlType("varchar(d)") Slice dialect,
            @SqlType(StandardTypes.VARBINARY) Slice value, @SqlType("varchar(k)") Slice key,
            @SqlType("varchar(o)") Slice options) {
        return tried(dialect, value, key, options.getBytes());
    }

    /** Of text with options. */
    @Description("what another engine stored, NULL if it does not open")
    @ScalarFunction("try_dialect_decrypt")
    @LiteralParameters({"d", "v", "k", "o"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice tryDecryptText(@SqlType("varchar(d)") Slice dialect,
            @SqlType("varchar(v)") Slice value, @SqlType("varchar(k)") Slice key,
            @SqlType("varchar(o)") Slice options) {
        return tried(dialect, value, key, options.getBytes());
    }
}
