package hefix;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** The collections and arrays of one call, which judge and candidate know under the same numbers. */
final class Shared {
    private final List<Object> objects = new ArrayList<>();
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

    int reserve() {
        objects.add(null);
        return objects.size() - 1;
    }

    void set(int number, Object object) {
        objects.set(number, object);
        numbers.put(object, number);
    }

    void add(Object object) {
        set(reserve(), object);
    }

    /** Null if it has none. */
    Integer numberOf(Object object) {
        return numbers.get(object);
    }

    Object get(int number) {
        Object object = number < 0 || number >= objects.size() ? null : objects.get(number);
        if (object == null) throw new Refused("a message that cannot be read");
        return object;
    }

    int size() {
        return objects.size();
    }

    private static final Set<String> ITEMS = Set.of(
            "Z", "B", "S", "C", "I", "J", "F", "D",
            "Ljava.lang.Boolean;", "Ljava.lang.Byte;", "Ljava.lang.Short;", "Ljava.lang.Character;",
            "Ljava.lang.Integer;", "Ljava.lang.Long;", "Ljava.lang.Float;", "Ljava.lang.Double;",
            "Ljava.lang.String;", "Ljava.lang.Object;", "Ljava.lang.Number;", "Ljava.lang.Comparable;",
            "Ljava.util.List;", "Ljava.util.Map;", "Ljava.util.Set;", "Ljava.util.ArrayList;",
            "Ljava.util.Optional;", "Ljava.math.BigInteger;", "Ljava.math.BigDecimal;");

    /** Whether `[[I` and the like is an array of types that a program without the candidate knows. */
    static boolean isPlainArray(String name) {
        int dimensions = 0;
        while (dimensions < name.length() && name.charAt(dimensions) == '[') dimensions++;
        return dimensions >= 1 && dimensions <= 8 && ITEMS.contains(name.substring(dimensions));
    }
}
