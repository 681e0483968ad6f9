package hefix;

import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The connection between judge and candidate: frames of a 32-bit length, little-endian, and a payload. */
final class Line {
    static final int MAX_BYTES = 16 << 20;

    private final DataInputStream in;
    private final OutputStream out;

    Line(FileDescriptor descriptor) {
        in = new DataInputStream(new FileInputStream(descriptor));
        out = new FileOutputStream(descriptor);
    }

    void close() {
        try {
            in.close();
        } catch (IOException error) {
            // It is closed.
        }
    }

    void send(byte[] payload) throws IOException {
        out.write(framed(payload));
    }

    /** Throws Refused for a frame that is too long, and IOException at the end of the stream. */
    byte[] receive() throws IOException {
        byte[] head = exactly(4);
        int length = (head[0] & 255) | (head[1] & 255) << 8 | (head[2] & 255) << 16 | (head[3] & 255) << 24;
        if (length < 0 || length > MAX_BYTES) throw new Refused("a message that is too long");
        return exactly(length);
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    /** Null at the end of the stream. */
    static byte[] frame(InputStream in) throws IOException {
        byte[] head = in.readNBytes(4);
        if (head.length < 4) return null;
        return in.readNBytes((head[0] & 255) | (head[1] & 255) << 8 | (head[2] & 255) << 16 | (head[3] & 255) << 24);
    }

    static byte[] framed(byte[] payload) {
        int length = payload.length;
        byte[] frame = new byte[4 + length];
        for (int i = 0; i < 4; i++) frame[i] = (byte) (length >>> 8 * i);
        System.arraycopy(payload, 0, frame, 4, length);
        return frame;
    }
}
