package org.cipherlane;

import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

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
            List.of("NoPadding", "PKCS5Padding", "PKCS7Padding", "ISO7816-4Padding");

    /** Makes the provider; the native library is loaded by the first one. */
    public CipherlaneProvider() {
        super(NAME, "0.1.0", "Fast symmetric ciphers: SM4, AES, ZUC and others");
        for (Family family : Family.ALL) {
            if (family.isBlock()) {
                blocks(family);
            } else {
                streams(family);
            }
            macs(family);
            add("KeyGenerator", family.name(), List.of(), () -> new KeyGeneratorImpl(family));
            add("AlgorithmParameters", family.name(), List.of(), IvParameters::new);
        }
        add("AlgorithmParameters", "GCM", List.of(), GcmParameters::new);
    }

    /** The level of instructions that ciphers run at here, e.g. {@code avx2}. */
    public static String level() {
        return new String(Native.level(), StandardCharsets.UTF_8);
    }

    private void blocks(Family family) {
        add("Cipher", family.name(), List.of(),
                () -> new PieceCipher(family, "ecb-encrypt", "ecb-decrypt", 1));
        var done = new ArrayList<String>();
        for (Entry entry : family.entries()) {
            String operation = entry.operation();
            String mode = operation.replaceFirst("-(encrypt|decrypt|seal|open)$", "");
            if (entry.kind().equals("mac") || done.contains(mode)) {
                continue;
            }
            done.add(mode);
            String prefix = family.name() + "/" + mode.toUpperCase(Locale.ROOT) + "/";
            if (entry.kind().equals("cipher")) {
                String inverse = operation.replace("-encrypt", "-decrypt");
                boolean pads = List.of("ecb", "cbc", "bc").contains(mode);
                for (int i = 0; i < (pads ? PADDINGS.size() : 1); i++) {
                    int padding = i == 0 ? 0 : i < 3 ? 1 : 2;
                    add("Cipher", prefix + PADDINGS.get(i), aliases(entry, pads ? 1 : 0, i),
                            () -> new PieceCipher(family, operation, inverse, padding));
                }
            } else {
                add("Cipher", prefix + "NoPadding", aliases(entry, 0, 0),
                        () -> new AeadCipher(family, mode));
                add("AlgorithmParameters", family.name() + "-" + mode.toUpperCase(Locale.ROOT),
                        List.of(), GcmParameters::new);
            }
        }
    }

    /** The object identifier, which stands for the usual padding. */
    private static List<String> aliases(Entry entry, int usual, int padding) {
        boolean has = usual == padding && !entry.oid().isEmpty() && entry.keyMost() == 16;
        return has ? List.of(entry.oid(), "OID." + entry.oid()) : List.of();
    }

    private void streams(Family family) {
        for (Entry entry : family.entries()) {
            String operation = entry.operation();
            switch (entry.kind()) {
                case "cipher" -> {
                    String name = operation.equals("keystream") ? family.name()
                            : operation.toUpperCase(Locale.ROOT);
                    List<String> aliases = name.equals("ARC4") ? List.of("RC4") : List.of();
                    add("Cipher", name, aliases,
                            () -> new PieceCipher(family, operation, operation, 0));
                }
                case "seal" -> {
                    String mode = operation.replaceFirst("-seal$", "");
                    String name = family.name() + "/" + mode.toUpperCase(Locale.ROOT);
                    add("Cipher", name + "/NoPadding", List.of(),
                            () -> new AeadCipher(family, mode));
                }
                default -> { }
            }
        }
    }

    private void macs(Family family) {
        for (Entry entry : family.entries()) {
            if (!entry.kind().equals("mac")) {
                continue;
            }
            String operation = entry.operation();
            String name = operation.toUpperCase(Locale.ROOT);
            List<String> aliases = List.of();
            if (family.isBlock()) {
                aliases = List.of(family.name() + name);
                name = family.name() + "-" + name;
            } else if (operation.equals("eia3")) {
                aliases = List.of(name, "128-EIA3");
                name = family.name();
            } else if (operation.startsWith("mac")) {
                name = family.name() + "-" + operation.substring(3);
                aliases = name.equals("ZUC-256-128") ? List.of("ZUC-256") : aliases;
            }
            // One name for all key lengths of a family.
            if (getService("Mac", name) == null) {
                add("Mac", name, aliases, () -> new MacImpl(family, operation));
            }
        }
    }

    private void add(String type, String name, List<String> aliases, Supplier<Object> make) {
        if (getService(type, name) == null) {
            putService(new Made(this, type, name, aliases, make));
        }
    }

    /** A service whose objects are made by a function. */
    private static final class Made extends Service {
        private final Supplier<Object> make;

        Made(Provider provider, String type, String name, List<String> aliases,
                Supplier<Object> make) {
            super(provider, type, name, CipherlaneProvider.class.getName(), aliases, Map.of());
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
