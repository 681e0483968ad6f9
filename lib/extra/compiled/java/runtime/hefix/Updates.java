package hefix;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Gives known collections their new contents. One that is unchanged is left alone: the tests may iterate over it. */
final class Updates {
    private Updates() {}

    @SuppressWarnings("unchecked")
    static void update(Collection<?> known, Collection<Object> items) {
        if (isSame(known.iterator(), items.iterator())) return;
        Collection<Object> target = (Collection<Object>) known;
        if (known instanceof List<?> && known.size() == items.size()) {
            List<Object> list = (List<Object>) known;
            int index = 0;
            for (Object item : items) list.set(index++, item);
            return;
        }
        target.clear();
        target.addAll(items);
    }

    @SuppressWarnings("unchecked")
    static void update(Map<?, ?> known, Map<Object, Object> entries) {
        if (isSame(known.keySet().iterator(), entries.keySet().iterator())
                && isSame(known.values().iterator(), entries.values().iterator())) return;
        Map<Object, Object> target = (Map<Object, Object>) known;
        target.clear();
        target.putAll(entries);
    }

    private static boolean isSame(Iterator<?> left, Iterator<?> right) {
        while (left.hasNext() && right.hasNext()) {
            Object first = left.next();
            Object second = right.next();
            if (first != second && (first == null || isContainer(first) || !first.equals(second))) return false;
        }
        return left.hasNext() == right.hasNext();
    }

    private static boolean isContainer(Object value) {
        return value instanceof Collection || value instanceof Map || value.getClass().isArray();
    }
}
