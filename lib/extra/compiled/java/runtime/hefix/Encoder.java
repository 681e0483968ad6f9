package hefix;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Writes values as bytes. Collections and arrays are numbered in the order in which they are first written, and
 * known to both sides under their numbers, so that a reply says what happened to which of the request's.
 */
final class Encoder {
    private static final int MAX_DEPTH = 64;

    private final Shared shared;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    /** Those of this message, and whether their contents are complete. */
    private final IdentityHashMap<Object, Boolean> written = new IdentityHashMap<>();

    Encoder(Shared shared) {
        this.shared = shared;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    int size() {
        return out.size();
    }

    void octet(int value) {
        bytes.write(value);
    }

    void number(int value) {
        try {
            out.writeInt(value);
        } catch (IOException error) {
            throw new AssertionError(error);
        }
    }

    void text(String value) {
        number(value.length());
        try {
            out.writeChars(value);
        } catch (IOException error) {
            throw new AssertionError(error);
        }
    }

    void value(Object value) {
        try {
            put(value, 0);
        } catch (IOException error) {
            throw new AssertionError(error);
        }
    }

    private void put(Object value, int depth) throws IOException {
        if (depth > MAX_DEPTH) throw new Refused("a value nested more than 64 levels deep");
        if (out.size() > Line.MAX_BYTES) throw new Refused("a value of more than 16 MiB");
        if (value == null) out.writeByte('n');
        else if (value instanceof Boolean given) tagged('Z').writeBoolean(given);
        else if (value instanceof Byte given) tagged('B').writeByte(given);
        else if (value instanceof Short given) tagged('S').writeShort(given);
        else if (value instanceof Character given) tagged('C').writeChar(given);
        else if (value instanceof Integer given) tagged('I').writeInt(given);
        else if (value instanceof Long given) tagged('J').writeLong(given);
        else if (value instanceof Float given) tagged('F').writeInt(Float.floatToRawIntBits(given));
        else if (value instanceof Double given) tagged('D').writeLong(Double.doubleToRawLongBits(given));
        else if (value instanceof String given) texts('s', given);
        else if (value.getClass() == BigInteger.class || value.getClass() == BigDecimal.class)
            texts(value instanceof BigInteger ? 'i' : 'd', value.toString());
        else if (value instanceof Optional<?> given) nested('o', depth, given.orElse(null));
        else if (value instanceof OptionalInt given) nested('1', depth, given.isPresent() ? given.getAsInt() : null);
        else if (value instanceof OptionalLong given) nested('2', depth, given.isPresent() ? given.getAsLong() : null);
        else if (value instanceof OptionalDouble given) nested('3', depth, given.isPresent() ? given.getAsDouble() : null);
        else if (value instanceof Map.Entry<?, ?> given)
            nested(value instanceof AbstractMap.SimpleEntry ? 'e' : 'E', depth, given.getKey(), given.getValue());
        else container(value, depth);
    }

    private DataOutputStream tagged(char tag) throws IOException {
        out.writeByte(tag);
        return out;
    }

    private void texts(char tag, String value) throws IOException {
        tagged(tag);
        text(value);
    }

    private void nested(char tag, int depth, Object... values) throws IOException {
        tagged(tag);
        for (Object value : values) put(value, depth + 1);
    }

    private void container(Object value, int depth) throws IOException {
        Integer known = shared.numberOf(value);
        Boolean complete = written.get(value);
        if (complete != null) {
            if (!complete) throw new Refused("a value that contains itself");
            tagged('r').writeInt(known);
            return;
        }
        if (known == null) {
            tagged('N');
            shared.add(value);
        } else tagged('K').writeInt(known);
        written.put(value, false);
        if (value instanceof Collection<?> items) {
            out.writeByte(Kind.of(items));
            Object[] copy = items.toArray();
            out.writeInt(copy.length);
            for (Object item : copy) put(item, depth + 1);
        } else if (value instanceof Map<?, ?> entries) {
            out.writeByte(Kind.of(entries));
            Object[] copy = entries.entrySet().toArray();
            out.writeInt(copy.length);
            for (Object entry : copy) {
                put(((Map.Entry<?, ?>) entry).getKey(), depth + 1);
                put(((Map.Entry<?, ?>) entry).getValue(), depth + 1);
            }
        } else if (value instanceof StringBuilder text) texts('q', text.toString());
        else if (value.getClass().isArray()) array(value, depth);
        else throw new Refused("a value of the type " + value.getClass().getTypeName());
        written.put(value, true);
    }

    private void array(Object array, int depth) throws IOException {
        String type = array.getClass().getName();
        if (!Shared.isPlainArray(type)) throw new Refused("a value of the type " + array.getClass().getTypeName());
        out.writeByte('a');
        text(type);
        int length = Array.getLength(array);
        out.writeInt(length);
        for (int i = 0; i < length; i++) put(Array.get(array, i), depth + 1);
    }
}
