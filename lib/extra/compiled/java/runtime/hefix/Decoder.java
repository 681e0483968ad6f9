package hefix;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Type;
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
 * Reads what Encoder writes, strictly: values have to be of the declared types, and nothing may be left over. Known
 * collections and arrays get the contents that the message has for them. Throws Refused.
 */
final class Decoder {
    private static final int MAX_DEPTH = 64;
    private static final String UNREADABLE = "a message that cannot be read";

    private final Shared shared;
    private final DataInputStream in;
    /** How many values each complete container holds, counting those that occur twice as two. */
    private final IdentityHashMap<Object, Long> sizes = new IdentityHashMap<>();
    private long size;

    Decoder(Shared shared, byte[] bytes) {
        this.shared = shared;
        in = new DataInputStream(new ByteArrayInputStream(bytes));
    }

    int number() {
        try {
            return in.readInt();
        } catch (IOException error) {
            throw new Refused(UNREADABLE);
        }
    }

    int octet() {
        try {
            return in.readUnsignedByte();
        } catch (IOException error) {
            throw new Refused(UNREADABLE);
        }
    }

    String text() {
        try {
            return characters();
        } catch (IOException error) {
            throw new Refused(UNREADABLE);
        }
    }

    Object value(Type type) {
        try {
            return get(type, 0);
        } catch (Refused refused) {
            throw refused;
        } catch (IOException | RuntimeException error) {
            throw new Refused(UNREADABLE);
        }
    }

    void end() {
        try {
            if (in.available() > 0) throw new Refused("a message with bytes left over");
        } catch (IOException error) {
            throw new AssertionError(error);
        }
    }

    private Object get(Type type, int depth) throws IOException {
        if (depth > MAX_DEPTH) throw new Refused("a value nested more than 64 levels deep");
        count(1);
        Object value = read(type, (char) in.readUnsignedByte(), depth);
        if (!Types.holds(type, value))
            throw new Refused((value == null ? "null" : "a " + value.getClass().getSimpleName()) + " instead of " + type.getTypeName());
        return value;
    }

    /** Values that occur many times in each other take no bytes, but as long to compare as if they did. */
    private void count(long more) {
        size += more;
        if (size > Line.MAX_BYTES) throw new Refused("a value of more than 16 Mi items");
    }

    private Object read(Type type, char tag, int depth) throws IOException {
        return switch (tag) {
            case 'n' -> null;
            case 'Z' -> octet() == 1;
            case 'B' -> in.readByte();
            case 'S' -> in.readShort();
            case 'C' -> in.readChar();
            case 'I' -> in.readInt();
            case 'J' -> in.readLong();
            case 'F' -> Float.intBitsToFloat(in.readInt());
            case 'D' -> Double.longBitsToDouble(in.readLong());
            // Tests may compare them by identity, and their literals are interned.
            case 's' -> characters().intern();
            case 'i' -> new BigInteger(digits());
            case 'd' -> new BigDecimal(digits());
            case 'o' -> Optional.ofNullable(get(Types.argument(type, 0), depth + 1));
            case '1' -> {
                Object found = get(Integer.class, depth + 1);
                yield found == null ? OptionalInt.empty() : OptionalInt.of((Integer) found);
            }
            case '2' -> {
                Object found = get(Long.class, depth + 1);
                yield found == null ? OptionalLong.empty() : OptionalLong.of((Long) found);
            }
            case '3' -> {
                Object found = get(Double.class, depth + 1);
                yield found == null ? OptionalDouble.empty() : OptionalDouble.of((Double) found);
            }
            case 'e', 'E' -> {
                Object key = get(Types.argument(type, 0), depth + 1);
                Object value = get(Types.argument(type, 1), depth + 1);
                yield tag == 'e' ? new AbstractMap.SimpleEntry<>(key, value) : new AbstractMap.SimpleImmutableEntry<>(key, value);
            }
            case 'r' -> {
                Object known = shared.get(in.readInt());
                Long items = sizes.get(known);
                if (items == null) throw new Refused("a value that contains itself");
                count(items);
                yield known;
            }
            case 'N' -> container(type, shared.reserve(), null, depth);
            case 'K' -> {
                int number = in.readInt();
                Object known = shared.get(number);
                if (sizes.containsKey(known)) throw new Refused(UNREADABLE);
                yield container(type, number, known, depth);
            }
            default -> throw new Refused(UNREADABLE);
        };
    }

    private Object container(Type type, int number, Object known, int depth) throws IOException {
        long before = size;
        char kind = (char) in.readUnsignedByte();
        Object read;
        if (kind == 'a') read = array(type, known, depth);
        else if (kind == 'q') read = builder(known);
        else if (Kind.isMap(kind)) read = map(type, kind, known, depth);
        else read = collection(type, kind, known, depth);
        if (known == null) shared.set(number, read);
        sizes.put(read, size - before);
        return read;
    }

    private Object collection(Type type, char kind, Object known, int depth) throws IOException {
        Collection<Object> items = Kind.create(kind);
        Type item = Types.argument(type, 0);
        for (int left = length(1); left > 0; left--) items.add(get(item, depth + 1));
        if (known == null) return Kind.closed(kind, items);
        Updates.update((Collection<?>) known, items);
        return known;
    }

    private Object map(Type type, char kind, Object known, int depth) throws IOException {
        Map<Object, Object> entries = Kind.createMap(kind);
        Type key = Types.argument(type, 0);
        Type value = Types.argument(type, 1);
        for (int left = length(2); left > 0; left--) {
            Object read = get(key, depth + 1);
            entries.put(read, get(value, depth + 1));
        }
        if (known == null) return Kind.closed(kind, entries);
        Updates.update((Map<?, ?>) known, entries);
        return known;
    }

    private Object array(Type type, Object known, int depth) throws IOException {
        String name = characters();
        if (!Shared.isPlainArray(name)) throw new Refused("a value of another type");
        int length = length(1);
        Object array = known == null ? Array.newInstance(itemType(name), length) : known;
        if (!array.getClass().getName().equals(name) || Array.getLength(array) != length) throw new Refused(UNREADABLE);
        Class<?> item = array.getClass().getComponentType();
        Type declared = item.isPrimitive() ? item : Types.item(type);
        for (int i = 0; i < length; i++) {
            Object read = get(declared, depth + 1);
            if (!Types.holds(item, read)) throw new Refused("a value of another type");
            Array.set(array, i, read);
        }
        return array;
    }

    private static Class<?> itemType(String array) {
        try {
            return Class.forName(array, false, null).getComponentType();
        } catch (ClassNotFoundException error) {
            throw new Refused("a value of another type");
        }
    }

    private Object builder(Object known) throws IOException {
        String text = characters();
        StringBuilder builder = known == null ? new StringBuilder() : (StringBuilder) known;
        if (!builder.toString().equals(text)) {
            builder.setLength(0);
            builder.append(text);
        }
        return builder;
    }

    private int length(int each) throws IOException {
        int length = in.readInt();
        if (length < 0 || (long) length * each > in.available()) throw new Refused(UNREADABLE);
        return length;
    }

    private String characters() throws IOException {
        char[] characters = new char[length(2)];
        for (int i = 0; i < characters.length; i++) characters[i] = in.readChar();
        return new String(characters);
    }

    /** Reading a number takes the square of its length. */
    private String digits() throws IOException {
        String text = characters();
        if (text.length() > 20_000 || text.matches(".*[eE][+-]?\\d{5,}")) throw new Refused("a number of more than 20000 digits");
        return text;
    }
}
