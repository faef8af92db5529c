import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.Security;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CipherSuite;
import org.apache.hadoop.crypto.CryptoCodec;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderCryptoExtension;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.cipherlane.CipherlaneProvider;

/**
 * Writes and reads an encryption zone of a small HDFS under a suite, with the provider of the JCA
 * that {@code hadoop.security.crypto.jce.provider} names, and says how fast.
 *
 * <p>Arguments: the folder, the provider's name, the suite, and MiB.
 */
public final class EncryptionZone {
    private static final String KEY = "zone";
    private static final int PASSES = 3;
    private static final int PIECE = 1 << 20;

    private EncryptionZone() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        String provider = arguments[1];
        String suite = arguments[2];
        int pieces = Integer.parseInt(arguments[3]);
        Security.addProvider(new CipherlaneProvider());
        Security.addProvider(new BouncyCastleProvider());
        Configuration conf = new HdfsConfiguration();
        conf.set("hadoop.security.key.provider.path", "jceks://file" + folder.resolve("keys.jceks"));
        conf.set("hadoop.security.crypto.jce.provider", provider);
        conf.set("hadoop.security.crypto.codec.classes.sm4.ctr.nopadding",
                "org.apache.hadoop.crypto.JceSm4CtrCryptoCodec");
        conf.set("hadoop.security.crypto.codec.classes.aes.ctr.nopadding",
                "org.apache.hadoop.crypto.JceAesCtrCryptoCodec");
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        double[] alone = alone(conf, suite, pieces);
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        try {
            double[] zone = zone(conf, cluster, suite, pieces);
            System.out.printf("%s by %s: stream alone %.0f MB/s, zone written %.0f MB/s, read %.0f "
                    + "MB/s; the file opens by Bouncy Castle%n", suite, provider, alone[0], zone[0],
                    zone[1]);
        } finally {
            cluster.shutdown(true);
        }
    }

    private static double rate(int pieces, long nanos) {
        return (double) pieces * PIECE / nanos * 1e3;
    }

    /** Hadoop's stream into nothing. */
    private static double[] alone(Configuration conf, String suite, int pieces) throws Exception {
        CryptoCodec codec = CryptoCodec.getInstance(conf, CipherSuite.convert(suite));
        byte[] data = data();
        double best = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            long start = System.nanoTime();
            try (OutputStream out = new CryptoOutputStream(OutputStream.nullOutputStream(), codec,
                    8192, new byte[16], new byte[16])) {
                for (int i = 0; i < pieces; i++) {
                    out.write(data);
                }
            }
            best = Math.max(best, rate(pieces, System.nanoTime() - start));
        }
        return new double[] {best};
    }

    private static byte[] data() {
        byte[] data = new byte[PIECE];
        new Random(15098).nextBytes(data);
        return data;
    }

    private static double[] zone(Configuration conf, MiniDFSCluster cluster, String suite,
            int pieces) throws Exception {
        DistributedFileSystem files = cluster.getFileSystem();
        KeyProvider keys = cluster.getNameNode().getNamesystem().getProvider();
        files.getClient().setKeyProvider((KeyProviderCryptoExtension) keys);
        KeyProvider.Options options = KeyProvider.options(conf);
        options.setCipher(suite);
        options.setBitLength(128);
        keys.createKey(KEY, options);
        keys.flush();
        var zone = new org.apache.hadoop.fs.Path("/zone");
        files.mkdirs(zone);
        new HdfsAdmin(files.getUri(), conf).createEncryptionZone(zone, KEY,
                EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
        byte[] data = data();
        double[] best = {0, 0};
        for (int pass = 0; pass < PASSES; pass++) {
            var file = new org.apache.hadoop.fs.Path(zone, "file-" + pass);
            long start = System.nanoTime();
            try (OutputStream out = files.create(file)) {
                for (int i = 0; i < pieces; i++) {
                    out.write(data);
                }
            }
            best[0] = Math.max(best[0], rate(pieces, System.nanoTime() - start));
            byte[] back = new byte[PIECE];
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
                best[1] = Math.max(best[1], rate(pieces, System.nanoTime() - start));
                // At a place that is in the middle of a block of the cipher.
                in.seek(PIECE / 2 + 5);
                byte[] part = new byte[100];
                in.readFully(part);
                int from = PIECE / 2 + 5;
                if (!Arrays.equals(part, Arrays.copyOfRange(data, from, from + part.length))) {
                    throw new IOException("other bytes after a seek");
                }
            }
            stored(files, (KeyProviderCryptoExtension) keys, file, suite, data);
        }
        return best;
    }

    /** What lies in HDFS, decrypted by Bouncy Castle under the file's own key. */
    private static void stored(DistributedFileSystem files, KeyProviderCryptoExtension keys,
            org.apache.hadoop.fs.Path file, String suite, byte[] data) throws Exception {
        var info = ((HdfsFileStatus) files.getFileStatus(file)).getFileEncryptionInfo();
        if (!info.getCipherSuite().getName().equals(suite)) {
            throw new IOException("the file's suite is " + info.getCipherSuite());
        }
        var sealed = KeyProviderCryptoExtension.EncryptedKeyVersion.createForDecryption(
                info.getKeyName(), info.getEzKeyVersionName(), info.getIV(),
                info.getEncryptedDataEncryptionKey());
        byte[] key = keys.decryptEncryptedKey(sealed).getMaterial();
        byte[] raw = new byte[PIECE];
        var place = new org.apache.hadoop.fs.Path("/.reserved/raw" + file.toUri().getPath());
        try (FSDataInputStream in = files.open(place)) {
            in.readFully(raw);
        }
        if (Arrays.equals(raw, data)) {
            throw new IOException("the file is not encrypted");
        }
        Cipher cipher = Cipher.getInstance(suite, "BC");
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, suite.replaceFirst("/.*", "")),
                new IvParameterSpec(info.getIV()));
        if (!Arrays.equals(cipher.doFinal(raw), data)) {
            throw new IOException("Bouncy Castle reads other bytes");
        }
    }
}
