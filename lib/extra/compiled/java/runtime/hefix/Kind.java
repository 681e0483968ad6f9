package hefix;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;

/** The collections that can be sent. A copy behaves as the original: one that cannot be changed still throws. */
final class Kind {
    static final char LIST = 'L';
    static final char FIXED_LIST = 'A';
    static final char FINAL_LIST = 'l';
    static final char FINAL_SET = 's';
    static final char MAP = 'M';
    static final char LINKED_MAP = 'm';
    static final char TREE_MAP = 'T';
    static final char FINAL_MAP = 'f';

    private Kind() {}

    static boolean isMap(char kind) {
        return kind == MAP || kind == LINKED_MAP || kind == TREE_MAP || kind == FINAL_MAP;
    }

    /** Of another class than those of the library, the nearest that has the same order. */
    static char of(Collection<?> value) {
        Class<?> type = value.getClass();
        if (value instanceof List) {
            if (isFinal(type)) return FINAL_LIST;
            if (type.getName().equals("java.util.Arrays$ArrayList")) return FIXED_LIST;
            if (value instanceof LinkedList) return 'K';
            return value instanceof Stack ? 'S' : value instanceof Vector ? 'V' : LIST;
        }
        if (value instanceof Set) {
            if (isFinal(type)) return FINAL_SET;
            if (value instanceof SortedSet<?> sorted) return natural(sorted.comparator(), 't', type);
            return type == HashSet.class ? 'H' : 'h';
        }
        if (value instanceof PriorityQueue<?> queue) return natural(queue.comparator(), 'P', type);
        return value instanceof Deque || value instanceof Queue ? 'D' : LIST;
    }

    static char of(Map<?, ?> value) {
        Class<?> type = value.getClass();
        if (isFinal(type)) return FINAL_MAP;
        if (value instanceof SortedMap<?, ?> sorted) return natural(sorted.comparator(), TREE_MAP, type);
        return type == HashMap.class ? MAP : LINKED_MAP;
    }

    private static boolean isFinal(Class<?> type) {
        String name = type.getName();
        return name.startsWith("java.util.ImmutableCollections$")
                || name.startsWith("java.util.Collections$Unmodifiable")
                || name.startsWith("java.util.Collections$Empty")
                || name.startsWith("java.util.Collections$Singleton");
    }

    private static char natural(Object comparator, char kind, Class<?> type) {
        if (comparator != null) throw new Refused("a " + type.getSimpleName() + " with a comparator");
        return kind;
    }

    /** An empty collection, which is filled before `closed` is called. */
    static Collection<Object> create(char kind) {
        return switch (kind) {
            case LIST, FIXED_LIST, FINAL_LIST -> new ArrayList<>();
            case 'K' -> new LinkedList<>();
            case 'S' -> new Stack<>();
            case 'V' -> new Vector<>();
            case 'H' -> new HashSet<>();
            case 'h', FINAL_SET -> new LinkedHashSet<>();
            case 't' -> new TreeSet<>();
            case 'P' -> new PriorityQueue<>();
            case 'D' -> new ArrayDeque<>();
            default -> throw new Refused("a message that cannot be read");
        };
    }

    static Map<Object, Object> createMap(char kind) {
        return kind == MAP ? new HashMap<>() : kind == TREE_MAP ? new TreeMap<>() : new LinkedHashMap<>();
    }

    static Object closed(char kind, Collection<Object> items) {
        return switch (kind) {
            case FIXED_LIST -> Arrays.asList(items.toArray());
            case FINAL_LIST -> items.contains(null) ? Collections.unmodifiableList((List<?>) items) : List.of(items.toArray());
            case FINAL_SET -> Collections.unmodifiableSet((Set<?>) items);
            default -> items;
        };
    }

    static Object closed(char kind, Map<Object, Object> entries) {
        return kind == FINAL_MAP ? Collections.unmodifiableMap(entries) : entries;
    }
}
