// The .NET app of the SDK suite. ../README.md tells what it is asked to do.
using System.Text.Json;
using System.Text.Json.Serialization;
using Dapr;
using Dapr.AppCallback.Autogen.Grpc.v1;
using Dapr.Client;
using Dapr.Client.Autogen.Grpc.v1;
using Dapr.Messaging.PublishSubscribe;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Microsoft.AspNetCore.Server.Kestrel.Core;

var mode = Environment.GetEnvironmentVariable("SDK_MODE");
var port = int.Parse(Environment.GetEnvironmentVariable("APP_PORT") ?? "0");
if (mode == "stream") await Subscriber.Stream();
else _ = Subscriber.Serve(port, mode == "grpc");

using var client = new DaprClientBuilder().Build();
while (Console.ReadLine() is { } line)
{
    if (line == "publish") await Publisher.Publish(client);
}
Environment.Exit(0);

record Order([property: JsonPropertyName("n")] int N, [property: JsonPropertyName("do")] string Do);

static class App
{
    public const string Pubsub = "pubsub";
    public const string Topic = "orders";
    public const string Dead = "dead";
    static readonly HashSet<int> Retried = [];
    static readonly object Lock = new();

    public static void Say(object line)
    {
        lock (Lock) Console.WriteLine(JsonSerializer.Serialize(line));
    }

    /// <summary>What this app makes of one event: SUCCESS, RETRY or DROP.</summary>
    public static string Answer(string topic, Order order)
    {
        Say(new { got = topic, n = order.N });
        if (topic == Dead) return "SUCCESS";
        if (order.Do == "retry")
        {
            lock (Lock) return Retried.Add(order.N) ? "RETRY" : "SUCCESS";
        }
        return order.Do switch { "drop" => "DROP", "fail" => "RETRY", _ => "SUCCESS" };
    }
}

static class Publisher
{
    public static async Task Publish(DaprClient client)
    {
        foreach (var order in new Order[] { new(1, "ok"), new(2, "retry"), new(3, "drop"), new(4, "fail") })
        {
            try
            {
                await client.PublishEventAsync(App.Pubsub, App.Topic, order);
                App.Say(new { published = order.N });
            }
            catch (Exception error)
            {
                App.Say(new { failed = "publish", error = error.Message });
            }
        }
        try
        {
            var orders = new List<Order> { new(5, "ok"), new(6, "ok") };
            var result = await client.BulkPublishEventAsync(App.Pubsub, App.Topic, orders);
            if (result.FailedEntries.Count == 0) App.Say(new { bulk = new[] { 5, 6 } });
            else App.Say(new { failed = "bulk", error = string.Join("; ", result.FailedEntries.Select(one => one.ErrorMessage)) });
        }
        catch (Exception error)
        {
            App.Say(new { failed = "bulk", error = error.Message });
        }
    }
}

static class Subscriber
{
    public static Task Serve(int port, bool overGrpc)
    {
        var builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(options => options.ListenLocalhost(
            port, listen => listen.Protocols = overGrpc ? HttpProtocols.Http2 : HttpProtocols.Http1));
        if (overGrpc) builder.Services.AddGrpc();
        var app = builder.Build();
        if (overGrpc)
        {
            app.MapGrpcService<Callbacks>();
            return app.RunAsync();
        }
        app.UseCloudEvents();
        app.MapSubscribeHandler();
        app.MapPost("/orders", (Order order) => Results.Json(new { status = App.Answer(App.Topic, order) }))
            .WithTopic(new TopicOptions { PubsubName = App.Pubsub, Name = App.Topic, DeadLetterTopic = App.Dead });
        app.MapPost("/dead", (Order order) => Results.Json(new { status = App.Answer(App.Dead, order) }))
            .WithTopic(App.Pubsub, App.Dead);
        return app.RunAsync();
    }

    public static async Task Stream()
    {
        var messaging = new DaprPublishSubscribeClientBuilder().Build();
        foreach (var (topic, dead) in new (string, string?)[] { (App.Topic, App.Dead), (App.Dead, null) })
        {
            var options = new DaprSubscriptionOptions(
                new MessageHandlingPolicy(TimeSpan.FromSeconds(10), TopicResponseAction.Retry)) { DeadLetterTopic = dead };
            await messaging.SubscribeAsync(App.Pubsub, topic, options, (message, _) =>
            {
                var order = JsonSerializer.Deserialize<Order>(message.Data.Span)!;
                return Task.FromResult(App.Answer(topic, order) switch
                {
                    "RETRY" => TopicResponseAction.Retry,
                    "DROP" => TopicResponseAction.Drop,
                    _ => TopicResponseAction.Success,
                });
            });
        }
    }
}

class Callbacks : AppCallback.AppCallbackBase
{
    public override Task<ListTopicSubscriptionsResponse> ListTopicSubscriptions(Empty request, ServerCallContext context)
    {
        var response = new ListTopicSubscriptionsResponse();
        response.Subscriptions.Add(new TopicSubscription
        {
            PubsubName = App.Pubsub, Topic = App.Topic, DeadLetterTopic = App.Dead,
        });
        response.Subscriptions.Add(new TopicSubscription { PubsubName = App.Pubsub, Topic = App.Dead });
        return Task.FromResult(response);
    }

    public override Task<TopicEventResponse> OnTopicEvent(TopicEventRequest request, ServerCallContext context)
    {
        var order = JsonSerializer.Deserialize<Order>(request.Data.Span)!;
        var status = App.Answer(request.Topic, order) switch
        {
            "RETRY" => TopicEventResponse.Types.TopicEventResponseStatus.Retry,
            "DROP" => TopicEventResponse.Types.TopicEventResponseStatus.Drop,
            _ => TopicEventResponse.Types.TopicEventResponseStatus.Success,
        };
        return Task.FromResult(new TopicEventResponse { Status = status });
    }
}
