package sidelight.sdk;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What this app makes of each event, and what it says on stdout. */
final class Answers {
  static final String PUBSUB = "pubsub";
  static final String TOPIC = "orders";
  static final String DEAD = "dead";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<Integer> RETRIED = new HashSet<>();

  private Answers() {
  }

  static synchronized void say(Map<String, ?> line) {
    try {
      System.out.println(JSON.writeValueAsString(line));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** The answer to one event: SUCCESS, RETRY or DROP. */
  static synchronized String to(String topic, Order order) {
    say(Map.of("got", topic, "n", order.n()));
    if (topic.equals(DEAD)) {
      return "SUCCESS";
    }
    return switch (order.what()) {
      case "retry" -> RETRIED.add(order.n()) ? "RETRY" : "SUCCESS";
      case "drop" -> "DROP";
      case "fail" -> "RETRY";
      default -> "SUCCESS";
    };
  }

  static Order read(byte[] data) {
    try {
      return JSON.readValue(data, Order.class);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
