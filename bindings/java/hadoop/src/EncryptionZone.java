import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.Security;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import javax.crypto.KeyGenerator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CipherSuite;
import org.apache.hadoop.crypto.CryptoCodec;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.crypto.JceCtrCryptoCodec;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderCryptoExtension;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.cipherlane.CipherlaneProvider;

/**
 * Writes and reads an encryption zone of a small HDFS for each length of key of a suite, with the
 * provider of the JCA that {@code hadoop.security.crypto.jce.provider} names, and says how fast.
 *
 * <p>Arguments: the folder, the provider's name, the suite, and MiB. Of Java 8, which Hadoop 3.4
 * still runs on.
 */
public final class EncryptionZone {
    private static final int PASSES = 3;
    private static final int PIECE = 1 << 20;

    private EncryptionZone() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Paths.get(arguments[0]);
        String provider = arguments[1];
        String suite = arguments[2];
        int pieces = Integer.parseInt(arguments[3]);
        // The one that is tested, alone beside the JDK's: nothing of another's can step in for it.
        if (provider.equals("Cipherlane")) {
            Security.insertProviderAt(new CipherlaneProvider(), 1);
        } else if (provider.equals("BC")) {
            Security.addProvider(new BouncyCastleProvider());
        }
        Configuration conf = new HdfsConfiguration();
        conf.set("hadoop.security.key.provider.path", "jceks://file" + folder.resolve("keys.jceks"));
        conf.set("hadoop.security.crypto.jce.provider", provider);
        conf.set("hadoop.security.crypto.codec.classes.sm4.ctr.nopadding",
                "org.apache.hadoop.crypto.JceSm4CtrCryptoCodec");
        conf.set("hadoop.security.crypto.codec.classes.aes.ctr.nopadding",
                "org.apache.hadoop.crypto.JceAesCtrCryptoCodec");
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        CryptoCodec codec = CryptoCodec.getInstance(conf, CipherSuite.convert(suite));
        if (!((JceCtrCryptoCodec) codec).getProvider().equals(provider)) {
            throw new IOException("the codec's provider is another one");
        }
        Evidence evidence = new Evidence(folder, suite);
        evidence.overflow(codec);
        double alone = alone(codec, pieces);
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        try {
            DistributedFileSystem files = cluster.getFileSystem();
            KeyProviderCryptoExtension keys = (KeyProviderCryptoExtension) cluster.getNameNode()
                    .getNamesystem().getProvider();
            files.getClient().setKeyProvider(keys);
            double[] best = {0, 0};
            int[] lengths = suite.startsWith("AES") ? new int[] {128, 192, 256} : new int[] {128};
            for (int bits : lengths) {
                String zone = zone(conf, files, keys, suite, bits);
                evidence.file(files, keys, zone + "/first");
                // The next file has its key under the key that follows, and the first one opens.
                keys.rollNewVersion("key" + bits);
                keys.flush();
                evidence.file(files, keys, zone + "/second");
                evidence.opens(files, zone + "/first");
                if (bits == 128) {
                    best = rates(files, zone, pieces);
                }
            }
            System.out.printf("%s by %s: stream alone %.0f MB/s, zone written %.0f MB/s, read %.0f "
                    + "MB/s; keys by %s, %d files checked%n", suite, provider, alone, best[0],
                    best[1], maker(suite), evidence.count());
        } finally {
            cluster.shutdown(true);
        }
    }

    /** Whose keys Hadoop's and Ranger's key servers get. */
    private static String maker(String suite) throws Exception {
        String algorithm = suite.substring(0, suite.indexOf('/'));
        return KeyGenerator.getInstance(algorithm).getProvider().getName();
    }

    private static double rate(int pieces, long nanos) {
        return (double) pieces * PIECE / nanos * 1e3;
    }

    private static byte[] data() {
        byte[] data = new byte[PIECE];
        new Random(15098).nextBytes(data);
        return data;
    }

    /** Hadoop's stream into nothing. */
    private static double alone(CryptoCodec codec, int pieces) throws Exception {
        byte[] data = data();
        OutputStream nowhere = new OutputStream() {
            @Override
            public void write(int one) {
                // Gone.
            }

            @Override
            public void write(byte[] bytes, int offset, int count) {
                // Gone.
            }
        };
        double best = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            long start = System.nanoTime();
            try (OutputStream out =
                    new CryptoOutputStream(nowhere, codec, 8192, new byte[16], new byte[16])) {
                for (int i = 0; i < pieces; i++) {
                    out.write(data);
                }
            }
            best = Math.max(best, rate(pieces, System.nanoTime() - start));
        }
        return best;
    }

    /** A zone under a key that Hadoop's key provider makes, as Ranger's does, which extends it. */
    private static String zone(Configuration conf, DistributedFileSystem files, KeyProvider keys,
            String suite, int bits) throws Exception {
        KeyProvider.Options options = KeyProvider.options(conf);
        options.setCipher(suite);
        options.setBitLength(bits);
        String key = "key" + bits;
        int made = keys.createKey(key, options).getMaterial().length;
        if (made * 8 != bits) {
            throw new IOException("a key of " + made + " bytes for " + bits + " bits");
        }
        keys.flush();
        org.apache.hadoop.fs.Path zone = new org.apache.hadoop.fs.Path("/zone" + bits);
        files.mkdirs(zone);
        new HdfsAdmin(files.getUri(), conf).createEncryptionZone(zone, key,
                EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
        return zone.toString();
    }

    /** How fast files are written and read, which are compared with what was written. */
    private static double[] rates(DistributedFileSystem files, String zone, int pieces)
            throws Exception {
        byte[] data = data();
        byte[] back = new byte[PIECE];
        double[] best = {0, 0};
        for (int pass = 0; pass < PASSES; pass++) {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(zone, "pass" + pass);
            long start = System.nanoTime();
            try (OutputStream out = files.create(file)) {
                for (int i = 0; i < pieces; i++) {
                    out.write(data);
                }
            }
            best[0] = Math.max(best[0], rate(pieces, System.nanoTime() - start));
            start = System.nanoTime();
            try (FSDataInputStream in = files.open(file)) {
                for (int i = 0; i < pieces; i++) {
                    in.readFully(back);
                    if (!Arrays.equals(data, back)) {
                        throw new IOException("other bytes in piece " + i + " than were written");
                    }
                }
                if (in.read() >= 0) {
                    throw new IOException("bytes behind the end");
                }
            }
            best[1] = Math.max(best[1], rate(pieces, System.nanoTime() - start));
            files.delete(file, false);
        }
        return best;
    }
}
