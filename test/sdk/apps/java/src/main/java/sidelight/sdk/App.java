package sidelight.sdk;

import io.dapr.client.DaprClient;
import io.dapr.client.DaprClientBuilder;
import io.dapr.client.DaprPreviewClient;
import io.dapr.client.SubscriptionListener;
import io.dapr.client.domain.BulkPublishEntry;
import io.dapr.client.domain.BulkPublishRequest;
import io.dapr.client.domain.CloudEvent;
import io.dapr.utils.TypeRef;
import io.grpc.ServerBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import reactor.core.publisher.Mono;

/** The Java app of the SDK suite. ../README.md of its folder tells what it is asked to do. */
@SpringBootApplication
public class App {
  public static void main(String[] args) throws Exception {
    String port = System.getenv("APP_PORT");
    switch (System.getenv("SDK_MODE")) {
      case "http" -> SpringApplication.run(
          App.class, "--server.port=" + port, "--server.address=127.0.0.1", "--logging.level.root=ERROR",
          "--spring.main.banner-mode=off");
      case "grpc" -> ServerBuilder.forPort(Integer.parseInt(port)).addService(new GrpcApp()).build().start();
      default -> stream();
    }
    try (DaprClient client = new DaprClientBuilder().build()) {
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("publish")) {
          publish(client);
        }
      }
    }
    System.exit(0);
  }

  private static void publish(DaprClient client) {
    List<Order> orders =
        List.of(new Order(1, "ok"), new Order(2, "retry"), new Order(3, "drop"), new Order(4, "fail"));
    for (Order order : orders) {
      try {
        client.publishEvent(Answers.PUBSUB, Answers.TOPIC, order).block();
        Answers.say(Map.of("published", order.n()));
      } catch (RuntimeException error) {
        Answers.say(Map.of("failed", "publish", "error", String.valueOf(error)));
      }
    }
    try {
      List<BulkPublishEntry<Order>> entries = List.of(
          new BulkPublishEntry<>("five", new Order(5, "ok"), "application/json"),
          new BulkPublishEntry<>("six", new Order(6, "ok"), "application/json"));
      var result =
          client.publishEvents(new BulkPublishRequest<>(Answers.PUBSUB, Answers.TOPIC, entries)).block();
      if (result.getFailedEntries().isEmpty()) {
        Answers.say(Map.of("bulk", List.of(5, 6)));
      } else {
        Answers.say(Map.of("failed", "bulk", "error", String.valueOf(result.getFailedEntries())));
      }
    } catch (RuntimeException error) {
      Answers.say(Map.of("failed", "bulk", "error", String.valueOf(error)));
    }
  }

  private static void stream() {
    DaprPreviewClient client = new DaprClientBuilder().buildPreviewClient();
    // This release of the SDK has no dead-letter topic on a stream.
    Answers.say(Map.of("absent", "dead letter"));
    client.subscribeToEvents(
        Answers.PUBSUB, Answers.TOPIC, new Listener(Answers.TOPIC), TypeRef.get(Order.class));
    client.subscribeToEvents(Answers.PUBSUB, Answers.DEAD, new Listener(Answers.DEAD), TypeRef.get(Order.class));
  }

  /** The subscriber over a stream. */
  private record Listener(String topic) implements SubscriptionListener<Order> {
    @Override
    public Mono<Status> onEvent(CloudEvent<Order> event) {
      return Mono.fromCallable(() -> Status.valueOf(Answers.to(topic, event.getData())));
    }

    @Override
    public void onError(RuntimeException error) {
      Answers.say(Map.of("failed", "stream", "error", String.valueOf(error)));
    }
  }
}
