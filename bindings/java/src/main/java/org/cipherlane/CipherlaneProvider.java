package org.cipherlane;

import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.logging.Logger;

/**
 * The provider: {@code Security.addProvider(new CipherlaneProvider())}, then
 * {@code Cipher.getInstance("SM4/GCM/NoPadding", "Cipherlane")}.
 *
 * <p>Everything that the library lists is here: ciphers in all modes under the names of Bouncy
 * Castle, MACs, key generators and algorithm parameters.
 */
public final class CipherlaneProvider extends Provider {
    private static final long serialVersionUID = 1;

    /** The provider's name. */
    public static final String NAME = "Cipherlane";

    private static final List<String> PADDINGS =
            Arrays.asList("NoPadding", "PKCS5Padding", "PKCS7Padding", "ISO7816-4Padding");
    /** Whether it was told that there is no native library. */
    private static final AtomicBoolean WARNED = new AtomicBoolean();

    /** The services by type and name; gone where a provider was serialised. */
    private final transient Map<String, Map<String, Service>> usual = new HashMap<>();

    /**
     * Makes the provider; the native library is loaded by the first one. Where there is none for
     * the platform the provider offers nothing and {@link #unavailable} says why: the JCA then
     * takes the next provider of its list.
     */
    public CipherlaneProvider() {
        super(NAME, 0.1, Native.trouble() == null
                ? "Fast symmetric ciphers: SM4, AES, ZUC and others"
                : "offers nothing here: " + Native.trouble());
        if (Native.trouble() != null) {
            if (!WARNED.getAndSet(true)) {
                warn("the provider Cipherlane offers nothing here: " + Native.trouble());
            }
            return;
        }
        for (Family family : Family.ALL) {
            if (family.isBlock()) {
                blocks(family);
            } else {
                streams(family);
            }
            macs(family);
            add("KeyGenerator", family.name(), Collections.emptyList(),
                    () -> new KeyGeneratorImpl(family));
            add("AlgorithmParameters", family.name(), Collections.emptyList(), IvParameters::new);
        }
        add("AlgorithmParameters", "GCM", Collections.emptyList(), GcmParameters::new);
    }

    /** A runtime may have been put together without the module for logs. */
    private static void warn(String text) {
        try {
            Logger.getLogger(NAME).warning(text);
        } catch (NoClassDefFoundError missing) {
            System.err.println(text);
        }
    }

    /** The version in full, which Java 8 has no place for. */
    public String getVersionStr() {
        return "0.1.0";
    }

    /** A provider for what this one's objects make, whether one is registered or not. */
    private static final class Own {
        static final CipherlaneProvider PROVIDER = new CipherlaneProvider();
    }

    static CipherlaneProvider own() {
        return Own.PROVIDER;
    }

    /** Why the provider offers nothing on this machine; empty where it does. */
    public static Optional<String> unavailable() {
        return Optional.ofNullable(Native.trouble());
    }

    /**
     * The level of instructions that ciphers run at here, e.g. {@code avx2}.
     *
     * @throws java.security.ProviderException if there is no native library for this platform
     */
    public static String level() {
        Native.need();
        return new String(Native.level(), StandardCharsets.UTF_8);
    }

    private void blocks(Family family) {
        add("Cipher", family.name(), Collections.emptyList(),
                pieces(family, "ecb-encrypt", "ecb-decrypt", 1));
        List<String> done = new ArrayList<>();
        for (org.cipherlane.Entry entry : family.entries()) {
            String operation = entry.operation();
            String mode = operation.replaceFirst("-(encrypt|decrypt|seal|open)$", "");
            if (entry.kind().equals("mac") || done.contains(mode)) {
                continue;
            }
            done.add(mode);
            String prefix = family.name() + "/" + mode.toUpperCase(Locale.ROOT) + "/";
            if (entry.kind().equals("cipher")) {
                String inverse = operation.replace("-encrypt", "-decrypt");
                boolean pads = Arrays.asList("ecb", "cbc", "bc").contains(mode);
                for (int i = 0; i < (pads ? PADDINGS.size() : 1); i++) {
                    int padding = i == 0 ? 0 : i < 3 ? 1 : 2;
                    add("Cipher", prefix + PADDINGS.get(i), aliases(entry, pads ? 1 : 0, i),
                            pieces(family, operation, inverse, padding));
                }
            } else {
                add("Cipher", prefix + "NoPadding", aliases(entry, 0, 0), aead(family, mode));
                add("AlgorithmParameters", family.name() + "-" + mode.toUpperCase(Locale.ROOT),
                        Collections.emptyList(), GcmParameters::new);
            }
        }
    }

    /** The object identifier, which stands for the usual padding. */
    private static List<String> aliases(org.cipherlane.Entry entry, int usual, int padding) {
        boolean has = usual == padding && !entry.oid().isEmpty() && entry.keyMost() == 16;
        return has ? Arrays.asList(entry.oid(), "OID." + entry.oid()) : Collections.emptyList();
    }

    private static Supplier<Object> pieces(Family family, String encrypt, String decrypt,
            int padding) {
        Operation one = Operation.of(family, encrypt);
        Operation other = Operation.of(family, decrypt);
        boolean whole = PieceCipher.whole(encrypt);
        return () -> new PieceCipher(one, other, padding, whole);
    }

    private static Supplier<Object> aead(Family family, String mode) {
        boolean plain = family.entries().stream().anyMatch(it -> it.operation().equals(mode));
        Operation seal = Operation.of(family, plain ? mode : mode + "-seal");
        return () -> new AeadCipher(seal, mode);
    }

    private void streams(Family family) {
        for (org.cipherlane.Entry entry : family.entries()) {
            String operation = entry.operation();
            switch (entry.kind()) {
                case "cipher":
                    String name = operation.equals("keystream") ? family.name()
                            : operation.toUpperCase(Locale.ROOT);
                    List<String> aliases = name.equals("ARC4") ? Arrays.asList("RC4")
                            : Collections.emptyList();
                    add("Cipher", name, aliases, pieces(family, operation, operation, 0));
                    break;
                case "seal":
                    String mode = operation.replaceFirst("-seal$", "");
                    String full = family.name() + "/" + mode.toUpperCase(Locale.ROOT);
                    add("Cipher", full + "/NoPadding", Collections.emptyList(),
                            aead(family, mode));
                    break;
                default:
                    break;
            }
        }
    }

    private void macs(Family family) {
        for (org.cipherlane.Entry entry : family.entries()) {
            if (!entry.kind().equals("mac")) {
                continue;
            }
            String operation = entry.operation();
            String name = operation.toUpperCase(Locale.ROOT);
            List<String> aliases = Collections.emptyList();
            if (family.isBlock()) {
                aliases = Arrays.asList(family.name() + name);
                name = family.name() + "-" + name;
            } else if (operation.equals("eia3")) {
                aliases = Arrays.asList(name, "128-EIA3");
                name = family.name();
            } else if (operation.startsWith("mac")) {
                name = family.name() + "-" + operation.substring(3);
                aliases = name.equals("ZUC-256-128") ? Arrays.asList("ZUC-256") : aliases;
            }
            // One name for all key lengths of a family.
            if (getService("Mac", name) == null) {
                Operation found = Operation.of(family, operation);
                add("Mac", name, aliases, () -> new MacImpl(found));
            }
        }
    }

    private void add(String type, String name, List<String> aliases, Supplier<Object> make) {
        if (getService(type, name) == null) {
            Made service = new Made(this, type, name, aliases, make);
            putService(service);
            usual.computeIfAbsent(type, it -> new HashMap<>()).put(name, service);
        }
    }

    /** As written in the documentation a name is found without interning its upper case. */
    @Override
    public Service getService(String type, String algorithm) {
        Map<String, Service> known = usual == null ? null : usual.get(type);
        Service found = known == null ? null : known.get(algorithm);
        return found == null ? super.getService(type, algorithm) : found;
    }

    /** A service whose objects are made by a function. */
    private static final class Made extends Service {
        private final Supplier<Object> make;

        Made(Provider provider, String type, String name, List<String> aliases,
                Supplier<Object> make) {
            super(provider, type, name, CipherlaneProvider.class.getName(), aliases,
                    Collections.emptyMap());
            this.make = make;
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            if (parameter != null) {
                throw new NoSuchAlgorithmException(getAlgorithm() + " takes no parameter");
            }
            return make.get();
        }
    }
}
