package org.cipherlane.trino;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.StandardErrorCode;
import io.trino.spi.TrinoException;
import io.trino.spi.function.Description;
import io.trino.spi.function.LiteralParameters;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlNullable;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import org.cipherlane.internal.SqlFunctions;

/**
 * {@code sm4_encrypt(value, key[, mode])} and its like, laid out as Spark's {@code aes_encrypt}
 * does: IV, ciphertext and tag; mode GCM, else CBC or ECB. The key's place holds 32 hexadecimal
 * digits.
 */
public final class Sm4Functions {
    private static final byte[] GCM = SqlFunctions.bytes("GCM");
    private static final byte[] DEFAULT = SqlFunctions.bytes("DEFAULT");
    private static final byte[] NOTHING = {};

    private Sm4Functions() {}

    /** Faults of arguments and values are the user's: Trino shows others as its own. */
    static Slice called(Supplier<byte[]> function) {
        try {
            byte[] bytes = function.get();
            return bytes == null ? null : Slices.wrappedBuffer(bytes);
        } catch (IllegalArgumentException | UncheckedIOException error) {
            throw new TrinoException(StandardErrorCode.INVALID_FUNCTION_ARGUMENT,
                    error.getMessage(), error);
        }
    }

    private static Slice sealed(Slice value, Slice key, byte[] mode) {
        return called(() -> SqlFunctions.sm4_encrypt(value.getBytes(), key.getBytes(), mode,
                DEFAULT, NOTHING, NOTHING));
    }

    private static Slice opened(Slice value, Slice key, byte[] mode) {
        return called(() -> SqlFunctions.sm4_decrypt(value.getBytes(), key.getBytes(), mode,
                DEFAULT, NOTHING));
    }

    private static Slice tried(Slice value, Slice key, byte[] mode) {
        return called(() -> SqlFunctions.try_sm4_decrypt(value.getBytes(), key.getBytes(), mode,
                DEFAULT, NOTHING));
    }

    /** Of bytes in GCM. */
    @Description("value under SM4-GCM: IV, ciphertext, tag")
    @ScalarFunction(value = "sm4_encrypt", deterministic = false)
    @LiteralParameters("k")
    @SqlType(StandardTypes.VARBINARY)
    public static Slice encrypt(@SqlType(StandardTypes.VARBINARY) Slice value,
            @SqlType("varchar(k)") Slice key) {
        return sealed(value, key, GCM);
    }

    /** Of text in GCM. */
    @Description("value under SM4-GCM: IV, ciphertext, tag")
    @ScalarFunction(value = "sm4_encrypt", deterministic = false)
    @LiteralParameters({"v", "k"})
    @SqlType(StandardTypes.VARBINARY)
    public static Slice encryptText(@SqlType("varchar(v)") Slice value,
            @SqlType("varchar(k)") Slice key) {
        return sealed(value, key, GCM);
    }

    /** Of bytes in a mode. */
    @Description("value under SM4 in a mode: GCM, CBC, ECB")
    @ScalarFunction(value = "sm4_encrypt", deterministic = false)
    @LiteralParameters({"k", "m"})
    @SqlType(StandardTypes.VARBINARY)
    public static Slice encrypt(@SqlType(StandardTypes.VARBINARY) Slice value,
            @SqlType("varchar(k)") Slice key, @SqlType("varchar(m)") Slice mode) {
        return sealed(value, key, mode.getBytes());
    }

    /** Of text in a mode. */
    @Description("value under SM4 in a mode: GCM, CBC, ECB")
    @ScalarFunction(value = "sm4_encrypt", deterministic = false)
    @LiteralParameters({"v", "k", "m"})
    @SqlType(StandardTypes.VARBINARY)
    public static Slice encryptText(@SqlType("varchar(v)") Slice value,
            @SqlType("varchar(k)") Slice key, @SqlType("varchar(m)") Slice mode) {
        return sealed(value, key, mode.getBytes());
    }

    /** In GCM. */
    @Description("what sm4_encrypt made; fails if it does not open")
    @ScalarFunction("sm4_decrypt")
    @LiteralParameters("k")
    @SqlType(StandardTypes.VARBINARY)
    public static Slice decrypt(@SqlType(StandardTypes.VARBINARY) Slice value,
            @SqlType("varchar(k)") Slice key) {
        return opened(value, key, GCM);
    }

    /** In a mode. */
    @Description("what sm4_encrypt made; fails if it does not open")
    @ScalarFunction("sm4_decrypt")
    @LiteralParameters({"k", "m"})
    @SqlType(StandardTypes.VARBINARY)
    public static Slice decrypt(@SqlType(StandardTypes.VARBINARY) Slice value,
            @SqlType("varchar(k)") Slice key, @SqlType("varchar(m)") Slice mode) {
        return opened(value, key, mode.getBytes());
    }

    /** In GCM, NULL where it does not open. */
    @Description("what sm4_encrypt made, NULL if it does not open")
    @ScalarFunction("try_sm4_decrypt")
    @LiteralParameters("k")
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice tryDecrypt(@SqlType(StandardTypes.VARBINARY) Slice value,
            @SqlType("varchar(k)") Slice key) {
        return tried(value, key, GCM);
    }

    /** In a mode, NULL where it does not open. */
    @Description("what sm4_encrypt made, NULL if it does not open")
    @ScalarFunction("try_sm4_decrypt")
    @LiteralParameters({"k", "m"})
    @SqlNullable
    @SqlType(StandardTypes.VARBINARY)
    public static Slice tryDecrypt(@SqlType(StandardTypes.VARBINARY) Slice value,
            @SqlType("varchar(k)") Slice key, @SqlType("varchar(m)") Slice mode) {
        return tried(value, key, mode.getBytes());
    }
}
