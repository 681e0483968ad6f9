package hefix;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What the judge tells the host of one execution: frames of eight texts, each after its length. */
final class Report {
    private static final int MAX_BYTES = 2000;

    private static FileOutputStream out;

    /** Where reports go from now on. */
    static void open(FileDescriptor descriptor) {
        out = new FileOutputStream(descriptor);
    }

    static void close() {
        try {
            out.close();
        } catch (IOException error) {
            // It is closed.
        }
    }

    String kind;
    int line;
    String call = "";
    String expected = "";
    String actual = "";
    String type = "";
    String message = "";
    int exceptionLine;

    Report(String kind) {
        this.kind = kind;
    }

    void send() {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        for (String text : new String[] {kind, number(line), call, expected, actual, type, message, number(exceptionLine)})
            payload.writeBytes(Line.framed(shortened(text)));
        try {
            out.write(Line.framed(payload.toByteArray()));
        } catch (IOException error) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** Sends the report as the last one, from anywhere in the tests. */
    void end() {
        send();
        Runtime.getRuntime().halt(0);
    }

    private static String number(int value) {
        return value <= 0 ? "" : Integer.toString(value);
    }

    private static byte[] shortened(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_BYTES) return bytes;
        int end = MAX_BYTES;
        while ((bytes[end] & 0xC0) == 0x80) end--;
        return new String(bytes, 0, end, StandardCharsets.UTF_8).concat("…").getBytes(StandardCharsets.UTF_8);
    }
}
