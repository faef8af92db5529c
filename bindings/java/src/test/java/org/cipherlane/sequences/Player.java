package org.cipherlane.sequences;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.Key;
import java.security.Provider;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.cipherlane.sequences.Step.Form;
import org.cipherlane.sequences.Step.Kind;

/** Plays steps on a provider's cipher and tells what came of each. */
final class Player implements Side {
    private final Cipher cipher;
    /** What SunJCE wants a key to be called. */
    private final String algorithm;
    /** What a message has given so far: providers hold back differently much of it. */
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    Player(String name, Provider provider) throws Exception {
        cipher = Cipher.getInstance(name, provider);
        algorithm = name.split("/")[0];
    }

    @Override
    public String play(Step step) {
        try {
            String said = call(step);
            if (step.kind() == Kind.FINAL) {
                said = HexFormat.of().formatHex(output.toByteArray());
                output.reset();
            }
            return said;
        } catch (Exception thrown) {
            // With too little room nothing has happened, and the call can be repeated.
            if (step.kind() == Kind.FINAL && !(thrown instanceof ShortBufferException)) {
                output.reset();
            }
            return thrown.getClass().getName();
        }
    }

    private String call(Step step) throws Exception {
        switch (step.kind()) {
            case INIT -> {
                output.reset();
                cipher.init(step.mode(), new SecretKeySpec(step.key(), algorithm), step.parameters());
                return Arrays.toString(cipher.getIV());
            }
            case INIT_DRAWN -> {
                output.reset();
                cipher.init(step.mode(), new SecretKeySpec(step.key(), algorithm), new FixedRandom());
                return Arrays.toString(cipher.getIV());
            }
            case AAD -> aad(step);
            case WRAP -> {
                return HexFormat.of()
                        .formatHex(cipher.wrap(new SecretKeySpec(step.data(), "any")));
            }
            case UNWRAP -> {
                Key key = cipher.unwrap(step.data(), "any", Cipher.SECRET_KEY);
                return HexFormat.of().formatHex(key.getEncoded());
            }
            default -> piece(step, step.kind() == Kind.FINAL);
        }
        return "";
    }

    private void aad(Step step) {
        byte[] data = step.data();
        switch (step.form()) {
            case RETURNED -> cipher.updateAAD(data);
            case HEAP -> cipher.updateAAD(ByteBuffer.wrap(data));
            case DIRECT -> cipher.updateAAD(direct(data, 0));
            default -> cipher.updateAAD(Arrays.copyOf(data, data.length + 5), 0, data.length);
        }
    }

    private static ByteBuffer direct(byte[] data, int more) {
        return ByteBuffer.allocateDirect(data.length + more).put(data).flip();
    }

    private void piece(Step step, boolean last) throws Exception {
        byte[] data = step.data();
        int room = Math.max(0, data.length + step.room());
        int at = step.at();
        switch (step.form()) {
            case NONE -> add(cipher.doFinal());
            case RETURNED -> add(last ? cipher.doFinal(data) : cipher.update(data));
            case ARRAYS -> {
                byte[] from = new byte[data.length + 7];
                System.arraycopy(data, 0, from, 3, data.length);
                byte[] to = new byte[at + room];
                int written = !last ? cipher.update(from, 3, data.length, to, at)
                        : data.length == 0 ? cipher.doFinal(to, at)
                        : cipher.doFinal(from, 3, data.length, to, at);
                output.write(to, at, written);
            }
            case IN_PLACE, SHIFTED -> {
                // Shifted, the output begins a little before or behind the input.
                int from = step.form() == Form.IN_PLACE ? at : 10;
                byte[] both = new byte[Math.max(at + room, from + data.length)];
                System.arraycopy(data, 0, both, from, data.length);
                int written = last ? cipher.doFinal(both, from, data.length, both, at)
                        : cipher.update(both, from, data.length, both, at);
                output.write(both, at, written);
            }
            default -> buffers(step, data, room, last);
        }
    }

    private void buffers(Step step, byte[] data, int room, boolean last) throws Exception {
        boolean heapIn = step.form() == Form.HEAP || step.form() == Form.READ_ONLY;
        ByteBuffer from = heapIn ? ByteBuffer.wrap(data.clone()) : direct(data, 3);
        if (step.form() == Form.READ_ONLY) {
            from = from.asReadOnlyBuffer();
        }
        ByteBuffer to = step.form() == Form.DIRECT || step.form() == Form.READ_ONLY
                ? ByteBuffer.allocateDirect(room) : ByteBuffer.allocate(room);
        int written = last ? cipher.doFinal(from, to) : cipher.update(from, to);
        if (from.hasRemaining() || to.position() != written) {
            throw new AssertionError("positions: " + from + ", " + to + ", " + written);
        }
        byte[] got = new byte[written];
        to.flip().get(got);
        add(got);
    }

    private void add(byte[] got) {
        if (got != null) {
            output.writeBytes(got);
        }
    }
}
