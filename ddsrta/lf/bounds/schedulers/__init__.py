"""Whether reactions meet their deadlines under the schedulers of Lingua Franca and of Linux."""
