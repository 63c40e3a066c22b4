// The Go app of the SDK suite. ../README.md tells what it is asked to do.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/dapr/go-sdk/client"
	"github.com/dapr/go-sdk/service/common"
	"github.com/dapr/go-sdk/service/grpc"
	"github.com/dapr/go-sdk/service/http"
)

const (
	pubsub = "pubsub"
	topic  = "orders"
	dead   = "dead"
)

type order struct {
	N  int    `json:"n"`
	Do string `json:"do"`
}

var (
	lock    sync.Mutex
	retried = map[int]bool{}
)

func say(line map[string]any) {
	text, err := json.Marshal(line)
	check(err)
	lock.Lock()
	defer lock.Unlock()
	fmt.Println(string(text))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// verdict is what this app makes of one event: SUCCESS, RETRY or DROP.
func verdict(of string, event *common.TopicEvent) common.SubscriptionResponseStatus {
	var it order
	if err := json.Unmarshal(event.RawData, &it); err != nil {
		say(map[string]any{"failed": "reading", "error": err.Error()})
		return common.SubscriptionResponseStatusDrop
	}
	say(map[string]any{"got": of, "n": it.N})
	if of == dead {
		return common.SubscriptionResponseStatusSuccess
	}
	switch it.Do {
	case "retry":
		lock.Lock()
		defer lock.Unlock()
		first := !retried[it.N]
		retried[it.N] = true
		if first {
			return common.SubscriptionResponseStatusRetry
		}
		return common.SubscriptionResponseStatusSuccess
	case "drop":
		return common.SubscriptionResponseStatusDrop
	case "fail":
		return common.SubscriptionResponseStatusRetry
	}
	return common.SubscriptionResponseStatusSuccess
}

func handler(of string) common.TopicEventHandler {
	return func(_ context.Context, event *common.TopicEvent) (bool, error) {
		switch verdict(of, event) {
		case common.SubscriptionResponseStatusRetry:
			return true, errors.New("not now")
		case common.SubscriptionResponseStatusDrop:
			return false, errors.New("never")
		}
		return false, nil
	}
}

func publish(to client.Client) {
	ctx := context.Background()
	for _, it := range []order{{1, "ok"}, {2, "retry"}, {3, "drop"}, {4, "fail"}} {
		if err := to.PublishEvent(ctx, pubsub, topic, it); err != nil {
			say(map[string]any{"failed": "publish", "error": err.Error()})
		} else {
			say(map[string]any{"published": it.N})
		}
	}
	result := to.PublishEvents(ctx, pubsub, topic, []any{order{5, "ok"}, order{6, "ok"}})
	if result.Error != nil {
		say(map[string]any{"failed": "bulk", "error": result.Error.Error()})
	} else {
		say(map[string]any{"bulk": []int{5, 6}})
	}
}

func serve(service common.Service) {
	check(service.AddTopicEventHandler(
		&common.Subscription{PubsubName: pubsub, Topic: topic, Route: "/orders", DeadLetterTopic: dead},
		handler(topic),
	))
	check(service.AddTopicEventHandler(&common.Subscription{PubsubName: pubsub, Topic: dead, Route: "/dead"}, handler(dead)))
	check(service.Start())
}

func main() {
	address := "127.0.0.1:" + os.Getenv("APP_PORT")
	switch os.Getenv("SDK_MODE") {
	case "http":
		go serve(http.NewService(address))
	case "grpc":
		service, err := grpc.NewService(address)
		check(err)
		go serve(service)
	}
	// The client waits until the sidecar serves gRPC.
	to, err := client.NewClient()
	check(err)
	if os.Getenv("SDK_MODE") == "stream" {
		deadLetter := dead
		_, err = to.SubscribeWithHandler(context.Background(),
			client.SubscriptionOptions{PubsubName: pubsub, Topic: topic, DeadLetterTopic: &deadLetter},
			func(event *common.TopicEvent) common.SubscriptionResponseStatus { return verdict(topic, event) })
		check(err)
		_, err = to.SubscribeWithHandler(context.Background(), client.SubscriptionOptions{PubsubName: pubsub, Topic: dead},
			func(event *common.TopicEvent) common.SubscriptionResponseStatus { return verdict(dead, event) })
		check(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if lines.Text() == "publish" {
			publish(to)
		}
	}
}
