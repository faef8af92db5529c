package org.cipherlane.sequences;

import java.nio.ByteBuffer;
import java.security.Provider;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The same for MACs. */
final class MacPlayer implements Side {
    private final Mac mac;

    MacPlayer(String name, Provider provider) throws Exception {
        mac = Mac.getInstance(name, provider);
    }

    @Override
    public String play(Step step) {
        try {
            return call(step);
        } catch (Exception thrown) {
            return thrown.getClass().getName();
        }
    }

    private String call(Step step) throws Exception {
        byte[] data = step.data();
        switch (step.kind()) {
            case INIT, INIT_DRAWN -> {
                mac.init(new SecretKeySpec(step.key(), "any"), step.parameters());
                return Integer.toString(mac.getMacLength());
            }
            case RESET -> mac.reset();
            case CLONE -> {
                Mac copy = (Mac) mac.clone();
                copy.update(new byte[5]);
                return HexFormat.of().formatHex(copy.doFinal());
            }
            case FINAL -> {
                return HexFormat.of().formatHex(last(step));
            }
            default -> update(step, data);
        }
        return "";
    }

    private void update(Step step, byte[] data) {
        switch (step.form()) {
            case NONE -> mac.update(data[0]);
            case ARRAYS -> {
                byte[] from = new byte[data.length + step.at()];
                System.arraycopy(data, 0, from, step.at(), data.length);
                mac.update(from, step.at(), data.length);
            }
            case HEAP -> mac.update(ByteBuffer.wrap(data));
            case DIRECT ->
                    mac.update(ByteBuffer.allocateDirect(data.length).put(data).flip());
            default -> mac.update(data);
        }
    }

    private byte[] last(Step step) throws Exception {
        switch (step.form()) {
            case NONE -> {
                return mac.doFinal();
            }
            case RETURNED -> {
                return mac.doFinal(step.data());
            }
            default -> {
                int length = mac.getMacLength();
                byte[] to = new byte[step.at() + length + step.room()];
                mac.doFinal(to, step.at());
                return Arrays.copyOfRange(to, step.at(), step.at() + length);
            }
        }
    }
}
