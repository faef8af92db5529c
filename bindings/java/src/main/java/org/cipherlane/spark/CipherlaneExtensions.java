package org.cipherlane.spark;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.DataTypes;
import org.cipherlane.internal.SqlFunctions;
import scala.None$;
import scala.Tuple3;
import scala.collection.immutable.$colon$colon;
import scala.collection.immutable.List;
import scala.collection.immutable.Nil$;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Functions of Spark SQL, by {@code
 * spark.sql.extensions=org.cipherlane.spark.CipherlaneExtensions}:
 *
 * <ul>
 * <li>{@code sm4_encrypt(expr, key[, mode[, padding[, iv[, aad]]]])}, {@code sm4_decrypt(expr,
 * key[,
 * mode[, padding[, aad]]])} and {@code try_sm4_decrypt}, of the same form and layout as Spark's own
 * {@code aes_encrypt}: mode GCM (else CBC, ECB), IV, ciphertext and tag in this order;
 * <li>{@code dialect_decrypt(dialect, expr, key[, options])}, {@code dialect_encrypt} and
 * {@code try_dialect_decrypt} for the values of other engines, by the names of
 * {@link org.cipherlane.dialects.Dialect} and the options of
 * {@link org.cipherlane.dialects.Codec.Builder#options}.
 * </ul>
 *
 * <p>The key is a reference, {@code file:PATH} or {@code env:NAME}: arguments stand in plans and
 * logs.
 * What comes out is BINARY. NULL gives NULL. Generated code calls the functions directly, as it
 * does
 * {@code aes_encrypt}; a class of Spark whose constructor is not the same in all versions is found
 * by reflection.
 */
public final class CipherlaneExtensions
        extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    private static final String SM4 = "file:PATH or env:NAME, which hold 32 hexadecimal digits";
    private static final String TEXT = "file:PATH or env:NAME, which hold the key as the engine's "
            + "user gives it";

    /** What stands for arguments that are not given. */
    private static final String[] SM4_USUAL = {null, null, "GCM", "DEFAULT", "", ""};
    private static final String[] OPEN_USUAL = {null, null, "GCM", "DEFAULT", ""};
    private static final String[] DIALECT_USUAL = {null, null, null, ""};

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        String open = "(expr, key[, mode[, padding[, aad]]])";
        String dialect = "(dialect, expr, key[, options])";
        add(extensions, "sm4_encrypt", "(expr, key[, mode[, padding[, iv[, aad]]]]) - expr under "
                + "SM4, laid out as aes_encrypt does", SM4, SM4_USUAL, false);
        add(extensions, "sm4_decrypt", open + " - what sm4_encrypt made of it; fails if it does "
                + "not open", SM4, OPEN_USUAL, true);
        add(extensions, "try_sm4_decrypt", open + " - as sm4_decrypt, NULL if it does not open",
                SM4, OPEN_USUAL, true);
        add(extensions, "dialect_encrypt", dialect + " - expr as another engine stores it", TEXT,
                DIALECT_USUAL, false);
        add(extensions, "dialect_decrypt", dialect + " - what another engine stored; fails if it "
                + "does not open", TEXT, DIALECT_USUAL, true);
        add(extensions, "try_dialect_decrypt", dialect + " - as dialect_decrypt, NULL if it does "
                + "not open", TEXT, DIALECT_USUAL, true);
        return BoxedUnit.UNIT;
    }

    /** Scala 2.12 and 2.13 have another Seq each: without its type one class serves both. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void add(SparkSessionExtensions extensions, String name, String usage,
            String key, String[] usual, boolean same) {
        ExpressionInfo info = new ExpressionInfo(SqlFunctions.class.getName(), null, name,
                name + usage, "key: " + key, "", "", "", "", "", "");
        extensions.injectFunction(
                new Tuple3(new FunctionIdentifier(name), info, new Build(name, usual, same)));
    }

    /** Makes the expression of a call. */
    @SuppressWarnings("rawtypes")
    private static final class Build extends AbstractFunction1 {
        private final String name;
        private final String[] usual;
        private final boolean same;

        /**
         * {@code usual} has null for each argument that must be given; {@code same} says that the
         * same arguments give the same value.
         */
        Build(String name, String[] usual, boolean same) {
            this.name = name;
            this.usual = usual;
            this.same = same;
        }

        @Override
        public Object apply(Object given) {
            scala.collection.Seq arguments = (scala.collection.Seq) given;
            int count = arguments.length();
            if (count > usual.length || count < least()) {
                throw new IllegalArgumentException(name + " has " + count + " arguments; allowed: "
                        + least() + " to " + usual.length);
            }
            List expressions = Nil$.MODULE$;
            List types = Nil$.MODULE$;
            for (int i = usual.length - 1; i >= 0; i--) {
                Object it = i < count ? arguments.apply(i)
                        : new Literal(SqlFunctions.bytes(usual[i]), DataTypes.BinaryType);
                expressions = cons(it, expressions);
                // Texts come as their UTF-8.
                types = cons(DataTypes.BinaryType, types);
            }
            return invoke(expressions, types);
        }

        private int least() {
            int least = 0;
            while (least < usual.length && usual[least] == null) {
                least++;
            }
            return least;
        }

        @SuppressWarnings("unchecked")
        private static List cons(Object first, List rest) {
            return new $colon$colon(first, rest);
        }

        /** The constructor has had one argument more since Spark 4. */
        private Expression invoke(List expressions, List types) {
            Object[] first = {SqlFunctions.class, DataTypes.BinaryType, name, expressions, types,
                true, true, same};
            for (Constructor<?> it : StaticInvoke.class.getConstructors()) {
                int extra = it.getParameterCount() - first.length;
                if (extra == 0 || extra == 1) {
                    Object[] all = java.util.Arrays.copyOf(first, it.getParameterCount());
                    if (extra == 1) {
                        all[first.length] = None$.MODULE$;
                    }
                    return made(it, all);
                }
            }
            throw new IllegalStateException("this version of Spark has another StaticInvoke; "
                    + "register the classes of org.cipherlane.spark as functions instead");
        }

        private static Expression made(Constructor<?> constructor, Object[] arguments) {
            try {
                return (Expression) constructor.newInstance(arguments);
            } catch (InvocationTargetException error) {
                throw new IllegalStateException(error.getCause());
            } catch (ReflectiveOperationException error) {
                throw new IllegalStateException(error);
            }
        }
    }
}
