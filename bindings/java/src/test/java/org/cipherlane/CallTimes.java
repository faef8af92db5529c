package org.cipherlane;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.Locale;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * What the calls of one message cost beside other providers: a program, not a test. The providers
 * take turns, so that what else the machine does meets all of them; the best of many rounds counts.
 *
 * <pre>java -cp JAR:TEST-CLASSES:BOUNCY-CASTLE org.cipherlane.CallTimes</pre>
 */
public final class CallTimes {
    private static final int ROUNDS = 40;
    private static final int CALLS = 2000;
    private static final int[] SIZES = {16, 100, 1024};
    private static long nonces;

    private CallTimes() {}

    private interface Call {
        Object run() throws GeneralSecurityException;
    }

    private static double once(Call call) throws GeneralSecurityException {
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        return (System.nanoTime() - start) / 1e3 / CALLS;
    }

    private static GCMParameterSpec fresh() {
        byte[] nonce = new byte[12];
        long number = nonces++;
        for (int i = 0; i < 8; i++) {
            nonce[i] = (byte) (number >> 8 * i);
        }
        return new GCMParameterSpec(128, nonce);
    }

    private static void row(String what, String name, Provider[] providers, Call[] calls)
            throws GeneralSecurityException {
        double[] best = new double[calls.length];
        java.util.Arrays.fill(best, Double.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < calls.length; i++) {
                best[i] = Math.min(best[i], once(calls[i]));
            }
        }
        var line = new StringBuilder(String.format(Locale.ROOT, "%-20s %-34s", name, what));
        for (int i = 0; i < calls.length; i++) {
            line.append(String.format(Locale.ROOT, "%12s %7.2f", providers[i].getName(), best[i]));
        }
        System.out.println(line);
    }

    /** A row of the same call for each provider. */
    private interface Make {
        Call of(Provider provider) throws GeneralSecurityException;
    }

    private static void row(String what, String name, Provider[] providers, Make make)
            throws GeneralSecurityException {
        var calls = new Call[providers.length];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = make.of(providers[i]);
        }
        row(what, name, providers, calls);
    }

    private static void table(String name, SecretKey key, Provider... providers)
            throws GeneralSecurityException {
        row("getInstance", name, providers, it -> () -> Cipher.getInstance(name, it));
        row("init, new nonce", name, providers, it -> {
            Cipher cipher = Cipher.getInstance(name, it);
            return () -> {
                cipher.init(Cipher.ENCRYPT_MODE, key, fresh());
                return cipher;
            };
        });
        row("init, drawn nonce", name, providers, it -> {
            Cipher cipher = Cipher.getInstance(name, it);
            return () -> {
                cipher.init(Cipher.ENCRYPT_MODE, key);
                return cipher;
            };
        });
        for (int size : SIZES) {
            byte[] data = new byte[size];
            row("init, doFinal(" + size + ")", name, providers, it -> {
                Cipher cipher = Cipher.getInstance(name, it);
                return () -> {
                    cipher.init(Cipher.ENCRYPT_MODE, key, fresh());
                    return cipher.doFinal(data);
                };
            });
            row("getInstance, init, doFinal(" + size + ")", name, providers, it -> () -> {
                Cipher cipher = Cipher.getInstance(name, it);
                cipher.init(Cipher.ENCRYPT_MODE, key, fresh());
                return cipher.doFinal(data);
            });
            row("getInstance, drawn, doFinal(" + size + ")", name, providers, it -> () -> {
                Cipher cipher = Cipher.getInstance(name, it);
                cipher.init(Cipher.ENCRYPT_MODE, key);
                return cipher.doFinal(data);
            });
        }
    }

    public static void main(String[] arguments) throws GeneralSecurityException {
        Provider ours = new CipherlaneProvider();
        Provider castle = new BouncyCastleProvider();
        System.out.println("µs a call, the best of " + ROUNDS + " rounds of " + CALLS + "; level "
                + CipherlaneProvider.level() + ", Java " + Runtime.version());
        byte[] bytes = new byte[16];
        bytes[0] = 1;
        table("SM4/GCM/NoPadding", new SecretKeySpec(bytes, "SM4"), ours, castle);
        table("AES/GCM/NoPadding", new SecretKeySpec(bytes, "AES"), ours, castle,
                Security.getProvider("SunJCE"));
    }
}
