package org.cipherlane.trino;

import io.trino.spi.Plugin;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * Functions of SQL for Trino, which finds them by this class once the jar lies in a folder of its
 * own under {@code plugin}: {@code sm4_encrypt}, {@code sm4_decrypt}, {@code try_sm4_decrypt},
 * {@code dialect_encrypt}, {@code dialect_decrypt} and {@code try_dialect_decrypt}.
 *
 * <p>The key is a reference, {@code file:PATH} or {@code env:NAME}, on the coordinator and all
 * workers: arguments stand in plans and logs. What comes out is VARBINARY. NULL gives NULL.
 */
public final class CipherlanePlugin implements Plugin {
    @Override
    public Set<Class<?>> getFunctions() {
        return Collections.unmodifiableSet(
                new HashSet<>(Arrays.asList(Sm4Functions.class, DialectFunctions.class)));
    }
}
