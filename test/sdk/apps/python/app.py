"""The Python app of the SDK suite. ../README.md tells what it is asked to do."""

import json
import os
import sys
import threading

from dapr.clients import DaprClient
from dapr.clients.grpc._response import TopicEventResponse

MODE = os.environ['SDK_MODE']
APP_PORT = int(os.environ.get('APP_PORT', '0'))
PUBSUB, TOPIC, DEAD = 'pubsub', 'orders', 'dead'
lock = threading.Lock()
retried = set()


def say(line):
    with lock:
        print(json.dumps(line), flush=True)


def answer(topic, data):
    """What this app makes of one event: success, retry or drop."""
    order = json.loads(data) if isinstance(data, (bytes, str)) else data
    say({'got': topic, 'n': order['n']})
    if topic == DEAD:
        return 'success'
    if order['do'] == 'retry':
        first = order['n'] not in retried
        retried.add(order['n'])
        return 'retry' if first else 'success'
    return {'ok': 'success', 'drop': 'drop', 'fail': 'retry'}[order['do']]


def publish(client):
    for order in ({'n': 1, 'do': 'ok'}, {'n': 2, 'do': 'retry'}, {'n': 3, 'do': 'drop'}, {'n': 4, 'do': 'fail'}):
        try:
            client.publish_event(PUBSUB, TOPIC, json.dumps(order), data_content_type='application/json')
            say({'published': order['n']})
        except Exception as error:
            say({'failed': 'publish', 'error': str(error)})
    try:
        result = client.publish_events(
            PUBSUB,
            TOPIC,
            [json.dumps({'n': n, 'do': 'ok'}) for n in (5, 6)],
            data_content_type='application/json',
        )
        if result.failed_entries:
            say({'failed': 'bulk', 'error': str(result.failed_entries)})
        else:
            say({'bulk': [5, 6]})
    except Exception as error:
        say({'failed': 'bulk', 'error': str(error)})


def commands():
    with DaprClient() as client:
        for line in sys.stdin:
            if line.strip() == 'publish':
                publish(client)
    os._exit(0)


def serve_http():
    import uvicorn
    from dapr.ext.fastapi import DaprApp
    from fastapi import Body, FastAPI

    app = FastAPI()
    dapr_app = DaprApp(app)

    @dapr_app.subscribe(pubsub=PUBSUB, topic=TOPIC, dead_letter_topic=DEAD)
    def orders(event=Body()):
        return {'status': answer(TOPIC, event['data']).upper()}

    @dapr_app.subscribe(pubsub=PUBSUB, topic=DEAD)
    def dead(event=Body()):
        return {'status': answer(DEAD, event['data']).upper()}

    uvicorn.run(app, host='127.0.0.1', port=APP_PORT, log_level='error')


def serve_grpc():
    from dapr.ext.grpc import App

    app = App()

    @app.subscribe(PUBSUB, TOPIC, dead_letter_topic=DEAD)
    def orders(event):
        return TopicEventResponse(answer(TOPIC, event.Data()))

    @app.subscribe(PUBSUB, DEAD)
    def dead(event):
        return TopicEventResponse(answer(DEAD, event.Data()))

    app.run(APP_PORT)


def serve_stream():
    with DaprClient() as client:
        client.subscribe_with_handler(
            PUBSUB, TOPIC, lambda message: TopicEventResponse(answer(TOPIC, message.data())), dead_letter_topic=DEAD
        )
        client.subscribe_with_handler(
            PUBSUB, DEAD, lambda message: TopicEventResponse(answer(DEAD, message.data()))
        )
        threading.Event().wait()


threading.Thread(target=commands, daemon=True).start()
{'http': serve_http, 'grpc': serve_grpc, 'stream': serve_stream}[MODE]()
